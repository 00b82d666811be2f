// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.BusyPolicy;
import io.holdfast.Lock;
import io.holdfast.LossPolicy;
import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;

/** Writes the locks of a method as the constant that a generated class has for it. Only what is not the default. */
final class LockConstant {
    private final Tools tools;
    private final TypeNames names;
    private final WovenMethod method;

    LockConstant(Tools tools, TypeNames names, WovenMethod method) {
        this.tools = tools;
        this.names = names;
        this.method = method;
    }

    String text(String constant, TypeElement type) {
        String lockedMethod = names.of("io.holdfast.weaving.LockedMethod");
        List<Lock> locks = method.annotated().locks();
        return "private static final " + lockedMethod + " " + constant + " = " + lockedMethod + ".of(\n        "
                + literal(type.getSimpleName() + "." + method.annotated().name()) + ",\n        "
                + names.erased(method.annotated().method().getReturnType()) + ".class,\n        "
                + locks.stream().map(this::lock).collect(Collectors.joining(",\n        ")) + ");";
    }

    private String lock(Lock lock) {
        StringBuilder text = new StringBuilder(names.of("io.holdfast.weaving.MethodLock"))
                .append(".key(")
                .append(literal(lock.key() + lock.value()))
                .append(")")
                .append(".ttlMs(")
                .append(literal(lock.ttlMs()))
                .append(")");
        add(text, lock.waitMs() != 0, "waitMs", literal(lock.waitMs()));
        add(text, lock.retryMs() != 50, "retryMs", literal(lock.retryMs()));
        add(text, lock.maxAttempts() != 0, "maxAttempts", literal(lock.maxAttempts()));
        add(text, lock.renew(), "renew", "true");
        add(text, lock.maxHoldMs() != 0, "maxHoldMs", literal(lock.maxHoldMs()));
        add(text, !lock.owner().isEmpty(), "owner", literal(lock.owner()));
        if (lock.onBusy() != BusyPolicy.THROW) {
            add(text, true, "onBusy", constant(lock.onBusy()) + ", " + literal(lock.fallback()));
        }
        for (Enum<?> policy : lock.onUnavailable()) {
            add(text, true, "onUnavailable", constant(policy));
        }
        if (lock.onLost() != LossPolicy.THROW) {
            add(text, true, "onLost", constant(lock.onLost()));
        }
        return text.append(".build()").toString();
    }

    private static void add(StringBuilder text, boolean said, String element, String value) {
        if (said) {
            text.append(".").append(element).append("(").append(value).append(")");
        }
    }

    private String constant(Enum<?> policy) {
        return names.of(policy.getDeclaringClass().getName()) + "." + policy.name();
    }

    private String literal(Object value) {
        return tools.elements().getConstantExpression(value);
    }
}
