// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.weaving.SignatureRules;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Finds the method to call when a lock is busy: one that takes the exception before one that does not, never itself. */
final class Fallbacks {
    private static final String BUSY = "io.holdfast.LockNotAcquiredException";

    private final Tools tools;
    private final TypeElement type;

    Fallbacks(Tools tools, TypeElement type) {
        this.tools = tools;
        this.type = type;
    }

    /** @throws IllegalArgumentException when there is none */
    ExecutableElement find(String name, ExecutableElement locked) {
        List<ExecutableElement> named = ElementFilter.methodsIn(tools.elements().getAllMembers(type)).stream()
                .filter(method -> method.getSimpleName().contentEquals(name) && !method.equals(locked))
                .filter(method -> !method.getModifiers().contains(Modifier.PRIVATE) && fits(method, locked))
                .toList();
        ExecutableElement found = Stream.concat(
                        named.stream().filter(method -> takesException(method, locked)), named.stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(SignatureRules.noFallback(
                        name,
                        tools.simpleName(locked.getReturnType()),
                        locked.getParameters().stream()
                                .map(parameter -> tools.simpleName(parameter.asType()))
                                .toList())));
        checkThrown(found, locked);
        return found;
    }

    /** Whether it takes the exception beside the method's own arguments. */
    static boolean takesException(ExecutableElement fallback, ExecutableElement locked) {
        return fallback.getParameters().size() > locked.getParameters().size();
    }

    private boolean fits(ExecutableElement method, ExecutableElement locked) {
        List<? extends VariableElement> given = locked.getParameters();
        List<? extends VariableElement> taken = method.getParameters();
        boolean one = taken.size() == given.size() + 1
                && tools.runtimeName(taken.get(given.size()).asType()).equals(BUSY);
        if (!one && taken.size() != given.size()) {
            return false;
        }
        for (int i = 0; i < given.size(); i++) {
            if (!tools.isSame(given.get(i).asType(), taken.get(i).asType())) {
                return false;
            }
        }
        return returns(method, locked.getReturnType());
    }

    private boolean returns(ExecutableElement method, TypeMirror result) {
        if (result.getKind() == TypeKind.VOID || result.getKind().isPrimitive()) {
            return method.getReturnType().getKind() == result.getKind();
        }
        if (!method.getTypeParameters().isEmpty()) {
            return tools.types()
                    .isSubtype(
                            tools.types().erasure(method.getReturnType()),
                            tools.types().erasure(result));
        }
        return !method.getReturnType().getKind().isPrimitive()
                && method.getReturnType().getKind() != TypeKind.VOID
                && tools.types().isAssignable(method.getReturnType(), result);
    }

    private void checkThrown(ExecutableElement fallback, ExecutableElement locked) {
        for (TypeMirror thrown : fallback.getThrownTypes()) {
            boolean declared = tools.isA(thrown, "java.lang.RuntimeException")
                    || tools.isA(thrown, "java.lang.Error")
                    || locked.getThrownTypes().stream()
                            .anyMatch(each -> tools.types().isSubtype(thrown, each));
            if (!declared) {
                throw new IllegalArgumentException("fallback " + fallback.getSimpleName() + " throws " + thrown
                        + ", which " + locked.getSimpleName() + " does not declare");
            }
        }
    }
}
