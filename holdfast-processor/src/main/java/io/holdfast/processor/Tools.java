// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.Locale;
import java.util.Objects;
import javax.annotation.processing.Messager;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/**
 * What the compiler lends.
 *
 * @param elements the declarations
 * @param types the types
 * @param messager where errors go
 * @param weave whether to generate code
 */
record Tools(Elements elements, Types types, Messager messager, boolean weave) {

    static Tools of(ProcessingEnvironment environment) {
        return new Tools(
                environment.getElementUtils(),
                environment.getTypeUtils(),
                environment.getMessager(),
                !"false".equals(environment.getOptions().get(LockProcessor.WEAVE)));
    }

    /** What {@code Class.getName()} says of it at run time. */
    String runtimeName(TypeMirror type) {
        TypeMirror erased = types.erasure(type);
        if (erased instanceof DeclaredType declared) {
            return elements.getBinaryName((TypeElement) declared.asElement()).toString();
        }
        return erased instanceof ArrayType
                ? erased.toString()
                : erased.getKind().name().toLowerCase(Locale.ROOT);
    }

    /** What {@code Class.getSimpleName()} says of it at run time. */
    String simpleName(TypeMirror type) {
        TypeMirror erased = types.erasure(type);
        if (erased instanceof ArrayType array) {
            return simpleName(array.getComponentType()) + "[]";
        }
        return erased instanceof DeclaredType declared
                ? declared.asElement().getSimpleName().toString()
                : runtimeName(erased);
    }

    /** Whether the type is, or extends, the one of that binary name. */
    boolean isA(TypeMirror type, String name) {
        TypeElement other = elements.getTypeElement(name.replace('$', '.'));
        TypeMirror erased = types.erasure(type);
        return other != null
                && erased.getKind() == TypeKind.DECLARED
                && types.isSubtype(erased, types.erasure(other.asType()));
    }

    boolean isSame(TypeMirror one, TypeMirror other) {
        return types.isSameType(types.erasure(one), types.erasure(other));
    }

    /** The type that declares it. */
    static TypeElement declaring(ExecutableElement method) {
        return (TypeElement) Objects.requireNonNull(method.getEnclosingElement());
    }

    String packageOf(Element element) {
        return elements.getPackageOf(element).getQualifiedName().toString();
    }
}
