// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.List;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Finds types that do not exist, or not yet, in what a generated class would have to name. */
final class Unresolved {
    private Unresolved() {}

    static boolean isIn(TypeElement type) {
        return isIn(type.getSuperclass())
                || anyIn(type.getInterfaces())
                || ElementFilter.methodsIn(type.getEnclosedElements()).stream().anyMatch(Unresolved::isIn)
                || ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
                        .anyMatch(Unresolved::isIn);
    }

    private static boolean isIn(ExecutableElement method) {
        return isIn(method.getReturnType())
                || anyIn(method.getThrownTypes())
                || anyIn(method.getParameters().stream()
                        .map(VariableElement::asType)
                        .toList());
    }

    private static boolean anyIn(List<? extends TypeMirror> types) {
        return types.stream().anyMatch(Unresolved::isIn);
    }

    private static boolean isIn(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return isIn(array.getComponentType());
        }
        return type.getKind() == TypeKind.ERROR
                || (type instanceof DeclaredType declared && anyIn(declared.getTypeArguments()));
    }
}
