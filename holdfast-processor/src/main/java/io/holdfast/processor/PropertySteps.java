// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.weaving.SignatureRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * Follows a placeholder from property to property, as {@code io.holdfast.weaving.PropertyPath} does at run time: by the erased
 * types, a method before a field, nothing private or static. Generated code must be allowed to read each.
 */
final class PropertySteps {
    private final Tools tools;
    private final TypeElement reader;
    private final List<String> code = new ArrayList<>();

    PropertySteps(Tools tools, TypeElement reader) {
        this.tools = tools;
        this.reader = reader;
    }

    /** What each step is in Java. */
    List<String> code() {
        return List.copyOf(code);
    }

    /**
     * The type it comes to.
     *
     * @throws IllegalArgumentException saying which step leads nowhere
     */
    TypeMirror follow(TypeMirror from, List<String> properties) {
        TypeMirror at = tools.types().erasure(from);
        for (String property : properties) {
            Element member = member(at, property);
            if (member == null) {
                throw new IllegalArgumentException(SignatureRules.missing(tools.runtimeName(at), property));
            }
            if (tools.weave() && !new Visibility(tools, reader).isReadable(member, at)) {
                throw new IllegalArgumentException(member.getEnclosingElement() + "." + member
                        + " is not accessible from " + "the package of " + reader.getSimpleName());
            }
            code.add(member.getSimpleName() + (member instanceof ExecutableElement ? "()" : ""));
            at = tools.types()
                    .erasure(member instanceof ExecutableElement method ? method.getReturnType() : member.asType());
        }
        return at;
    }

    private @Nullable Element member(TypeMirror type, String property) {
        if (!(type instanceof DeclaredType declared)) {
            return null;
        }
        List<TypeElement> classes = classes((TypeElement) declared.asElement());
        for (String name : SignatureRules.accessors(property)) {
            for (ExecutableElement method : methods(classes)) {
                if (method.getSimpleName().contentEquals(name) && isGetter(method)) {
                    return method;
                }
            }
        }
        for (TypeElement at : classes) {
            for (VariableElement field : ElementFilter.fieldsIn(at.getEnclosedElements())) {
                if (field.getSimpleName().contentEquals(property) && isReadable(field.getModifiers())) {
                    return field;
                }
            }
        }
        return null;
    }

    /** Those of the classes from below, then what interfaces add. */
    private List<ExecutableElement> methods(List<TypeElement> classes) {
        Stream<ExecutableElement> own =
                classes.stream().flatMap(at -> ElementFilter.methodsIn(at.getEnclosedElements()).stream());
        Stream<ExecutableElement> all = ElementFilter.methodsIn(tools.elements().getAllMembers(classes.get(0))).stream()
                .filter(method -> method.getModifiers().contains(Modifier.PUBLIC));
        return Stream.concat(own, all).toList();
    }

    private static List<TypeElement> classes(TypeElement type) {
        List<TypeElement> found = new ArrayList<>();
        TypeElement at = type;
        while (at != null && (found.isEmpty() || !at.getQualifiedName().contentEquals("java.lang.Object"))) {
            found.add(at);
            at = at.getSuperclass() instanceof DeclaredType above ? (TypeElement) above.asElement() : null;
        }
        return found;
    }

    private static boolean isGetter(ExecutableElement method) {
        return method.getParameters().isEmpty()
                && method.getReturnType().getKind() != TypeKind.VOID
                && isReadable(method.getModifiers());
    }

    private static boolean isReadable(Set<Modifier> modifiers) {
        return !modifiers.contains(Modifier.STATIC) && !modifiers.contains(Modifier.PRIVATE);
    }
}
