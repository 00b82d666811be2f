// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.Lock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * A method of a type, and where its {@link Lock} stands: on itself, or on a method it overrides.
 *
 * @param method the type's own, or inherited
 * @param annotated the one with the annotation
 */
record Annotated(ExecutableElement method, ExecutableElement annotated) {

    /** Those of the type: declared in it, and inherited, so that what is generated for it loses no lock. */
    static List<Annotated> allOf(TypeElement type, Tools tools) {
        List<Annotated> found = new ArrayList<>();
        Set<ExecutableElement> methods = new LinkedHashSet<>(ElementFilter.methodsIn(type.getEnclosedElements()));
        methods.addAll(ElementFilter.methodsIn(tools.elements().getAllMembers(type)));
        Set<TypeElement> supertypes = supertypes(type, tools);
        for (ExecutableElement method : methods) {
            boolean implementedElsewhere = type.getKind().isClass()
                    && method.getModifiers().contains(Modifier.ABSTRACT)
                    && !Tools.declaring(method).equals(type);
            if (hasLock(method) && !implementedElsewhere) {
                found.add(new Annotated(method, method));
            } else if (!implementedElsewhere) {
                supertypes.stream()
                        .flatMap(each -> ElementFilter.methodsIn(each.getEnclosedElements()).stream())
                        .filter(each -> hasLock(each) && tools.elements().overrides(method, each, type))
                        .findFirst()
                        .ifPresent(overridden -> found.add(new Annotated(method, overridden)));
            }
        }
        return found;
    }

    /** Superclasses, nearest first, then interfaces: the order in which the annotation counts at run time. */
    private static Set<TypeElement> supertypes(TypeElement type, Tools tools) {
        Set<TypeElement> classes = new LinkedHashSet<>();
        Set<TypeElement> faces = new LinkedHashSet<>();
        List<TypeMirror> left = new ArrayList<>(tools.types().directSupertypes(type.asType()));
        while (!left.isEmpty()) {
            TypeMirror next = left.remove(0);
            TypeElement element = (TypeElement) ((DeclaredType) next).asElement();
            (element.getKind() == ElementKind.INTERFACE ? faces : classes).add(element);
            left.addAll(tools.types().directSupertypes(next));
        }
        classes.addAll(faces);
        return classes;
    }

    private static boolean hasLock(ExecutableElement method) {
        return !mirrors(method).isEmpty();
    }

    String name() {
        return method.getSimpleName().toString();
    }

    List<Lock> locks() {
        return List.of(annotated.getAnnotationsByType(Lock.class));
    }

    /** Of the nth lock, in the order of {@link #locks()}. */
    AnnotationMirror mirror(int lock) {
        return mirrors(annotated).get(lock);
    }

    /** What is written for that element; null when it is left to its default. */
    static @Nullable AnnotationValue value(AnnotationMirror mirror, String element) {
        for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> given :
                mirror.getElementValues().entrySet()) {
            if (given.getKey().getSimpleName().contentEquals(element)) {
                return given.getValue();
            }
        }
        return null;
    }

    private static List<AnnotationMirror> mirrors(ExecutableElement method) {
        List<AnnotationMirror> found = new ArrayList<>();
        for (AnnotationMirror mirror : method.getAnnotationMirrors()) {
            TypeElement type = (TypeElement) mirror.getAnnotationType().asElement();
            if (type.getQualifiedName().contentEquals(Lock.class.getCanonicalName())) {
                found.add(mirror);
            } else if (type.getQualifiedName().contentEquals(Lock.List.class.getCanonicalName())) {
                AnnotationValue value = value(mirror, "value");
                if (value != null && value.getValue() instanceof List<?> several) {
                    several.forEach(one -> found.add((AnnotationMirror) ((AnnotationValue) one).getValue()));
                }
            }
        }
        return found;
    }
}
