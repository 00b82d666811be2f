// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.NoType;
import javax.lang.model.type.PrimitiveType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.SimpleTypeVisitor14;
import org.jspecify.annotations.Nullable;

/**
 * Writes types as source code does, and collects what has to be imported for it. A name that means something else where the
 * code stands is written in full. Of the annotations only those about null stay: others may do something where they stand.
 */
final class TypeNames {
    private static final Set<String> NULLNESS = Set.of("Nullable", "NonNull", "Nonnull", "CheckForNull");
    private static final Set<String> NULL_MARKS = Set.of("NullMarked", "NullUnmarked");

    private final Tools tools;
    private final String inPackage;
    private final Map<String, String> meant = new HashMap<>(); // a simple name and the full one
    private final Set<String> taken = new HashSet<>();
    private final Set<String> imports = new TreeSet<>();

    TypeNames(Tools tools, TypeElement type, String generated) {
        this.tools = tools;
        this.inPackage = tools.packageOf(type);
        taken.add(generated);
        ElementFilter.typesIn(tools.elements().getAllMembers(type)).forEach(this::take);
        type.getTypeParameters().forEach(this::take);
        for (Element member : tools.elements().getAllMembers(type)) {
            if (member instanceof ExecutableElement method) {
                method.getTypeParameters().forEach(this::take);
            }
        }
    }

    private void take(Element named) {
        taken.add(named.getSimpleName().toString());
    }

    /** The imports there must be for all that was written so far. */
    Set<String> imports() {
        return imports;
    }

    /** A type of that full name, which need not be on the class path of what is compiled. */
    String of(String qualified) {
        int dot = qualified.lastIndexOf('.');
        return name(qualified, qualified.substring(0, Math.max(0, dot)), qualified.substring(dot + 1));
    }

    String of(TypeMirror type) {
        return type.accept(new Printer(), null);
    }

    /** Without its type arguments, as in {@code Receipt.class}. */
    String erased(TypeMirror type) {
        return of(tools.types().erasure(type)).replaceAll("@[\\w.]+ ", "");
    }

    /** {@code <T extends Order>} with a space after it, or nothing. */
    String declared(List<? extends TypeParameterElement> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.stream().map(this::declared).collect(Collectors.joining(", ", "<", ">"));
    }

    private String declared(TypeParameterElement parameter) {
        String bounds = parameter.getBounds().stream()
                .map(this::of)
                .filter(bound -> !bound.equals("Object") && !bound.equals("java.lang.Object"))
                .collect(Collectors.joining(" & "));
        return parameter.getSimpleName() + (bounds.isEmpty() ? "" : " extends " + bounds);
    }

    /** {@code <T>}, or nothing. */
    static String arguments(List<? extends TypeParameterElement> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.stream()
                        .map(parameter -> parameter.getSimpleName().toString())
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    /** Annotations about null of a declaration, each followed by a space; those of its type are written with that. */
    String nullness(Element element) {
        TypeMirror type = element instanceof ExecutableElement method ? method.getReturnType() : element.asType();
        List<String> ofType = annotations(type, NULLNESS);
        return annotations(element, element instanceof TypeElement ? NULL_MARKS : NULLNESS).stream()
                .filter(annotation -> !ofType.contains(annotation))
                .collect(Collectors.joining());
    }

    private List<String> annotations(AnnotatedConstruct annotated, Set<String> kept) {
        List<String> found = new ArrayList<>();
        for (AnnotationMirror mirror : annotated.getAnnotationMirrors()) {
            TypeElement annotation = (TypeElement) mirror.getAnnotationType().asElement();
            if (kept.contains(annotation.getSimpleName().toString())
                    && mirror.getElementValues().isEmpty()) {
                found.add("@" + of(annotation.getQualifiedName().toString()) + " ");
            }
        }
        return found;
    }

    private String name(String qualified, String itsPackage, String simple) {
        String earlier = meant.get(simple);
        if (qualified.equals(earlier)) {
            return simple;
        }
        boolean own = itsPackage.equals(inPackage);
        boolean hidden = itsPackage.equals("java.lang")
                && tools.elements().getTypeElement(inPackage.isEmpty() ? simple : inPackage + "." + simple) != null;
        if (earlier != null || hidden || taken.contains(simple)) {
            return qualified;
        }
        meant.put(simple, qualified);
        if (!own && !itsPackage.equals("java.lang")) {
            imports.add(qualified);
        }
        return simple;
    }

    /** Annotations of a nested type stand before its last name. */
    private final class Printer extends SimpleTypeVisitor14<String, @Nullable Void> {

        @Override
        protected String defaultAction(TypeMirror type, @Nullable Void none) {
            return type.toString();
        }

        @Override
        public String visitPrimitive(PrimitiveType type, @Nullable Void none) {
            return tools.runtimeName(type);
        }

        @Override
        public String visitNoType(NoType type, @Nullable Void none) {
            return "void";
        }

        @Override
        public String visitTypeVariable(TypeVariable type, @Nullable Void none) {
            return notes(type) + type.asElement().getSimpleName();
        }

        @Override
        public String visitArray(ArrayType type, @Nullable Void none) {
            StringBuilder text = new StringBuilder();
            TypeMirror at = type;
            while (at instanceof ArrayType array) { // annotations of the outermost array come first
                String notes = notes(array);
                text.append(notes.isEmpty() ? "" : " " + notes).append("[]");
                at = array.getComponentType();
            }
            return of(at) + text;
        }

        @Override
        public String visitWildcard(WildcardType type, @Nullable Void none) {
            TypeMirror above = type.getExtendsBound();
            TypeMirror below = type.getSuperBound();
            return above != null ? "? extends " + of(above) : below != null ? "? super " + of(below) : "?";
        }

        @Override
        public String visitIntersection(IntersectionType type, @Nullable Void none) {
            return type.getBounds().stream().map(TypeNames.this::of).collect(Collectors.joining(" & "));
        }

        @Override
        public String visitDeclared(DeclaredType type, @Nullable Void none) {
            TypeElement element = (TypeElement) type.asElement();
            String arguments = type.getTypeArguments().isEmpty()
                    ? ""
                    : type.getTypeArguments().stream()
                            .map(TypeNames.this::of)
                            .collect(Collectors.joining(", ", "<", ">"));
            String full = type.getEnclosingType() instanceof DeclaredType outer
                    ? of(outer) + "." + element.getSimpleName()
                    : nested(element);
            int last = full.lastIndexOf('.') + 1;
            return full.substring(0, last) + notes(type) + full.substring(last) + arguments;
        }

        private String nested(TypeElement element) {
            return element.getEnclosingElement() instanceof TypeElement outer
                    ? nested(outer) + "." + element.getSimpleName()
                    : name(
                            element.getQualifiedName().toString(),
                            tools.packageOf(element),
                            element.getSimpleName().toString());
        }

        private String notes(TypeMirror type) {
            return String.join("", annotations(type, NULLNESS));
        }
    }
}
