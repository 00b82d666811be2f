// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** What code in the package of a type may name and read. */
record Visibility(Tools tools, TypeElement reader) {

    /** A public member of a class that is seen is seen, also when a hidden superclass declares it. */
    boolean isReadable(Element member, TypeMirror of) {
        if (member.getModifiers().contains(Modifier.PUBLIC)) {
            return isVisible(tools.types().asElement(of)) || isVisible(member);
        }
        return isNear(member) && isVisible(member);
    }

    /** A type in the signature that can't be named; null when all can. */
    @Nullable
    Element hidden(ExecutableElement method) {
        return Stream.of(
                        Stream.of(method.getReturnType()),
                        method.getParameters().stream().map(VariableElement::asType),
                        method.getThrownTypes().stream())
                .flatMap(types -> types)
                .flatMap(this::named)
                .filter(element -> !isVisible(element))
                .findFirst()
                .orElse(null);
    }

    private Stream<Element> named(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return named(array.getComponentType());
        }
        return type instanceof DeclaredType declared
                ? Stream.concat(
                        Stream.of(declared.asElement()),
                        declared.getTypeArguments().stream().flatMap(this::named))
                : Stream.empty();
    }

    private boolean isVisible(Element element) {
        Set<Modifier> needed = isNear(element) ? Set.of() : Set.of(Modifier.PUBLIC);
        return Stream.iterate(element, at -> Objects.requireNonNull(at.getEnclosingElement()))
                .takeWhile(at -> !(at instanceof PackageElement))
                .map(Element::getModifiers)
                .allMatch(modifiers -> modifiers.containsAll(needed) && !modifiers.contains(Modifier.PRIVATE));
    }

    private boolean isNear(Element element) {
        return tools.packageOf(element).equals(tools.packageOf(reader));
    }
}
