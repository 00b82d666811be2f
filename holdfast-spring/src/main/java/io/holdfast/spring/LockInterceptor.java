// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockManager;
import io.holdfast.weaving.AnnotatedMethod;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Runs a method of a bean under the locks that its annotations ask for. Thread-safe. */
public final class LockInterceptor implements MethodInterceptor {
    private static final String TRANSACTIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";

    private final Supplier<LockManager> locks;
    /** Not before the first call: most applications start with no use for it yet. Gives nothing where there are none. */
    private final Supplier<@Nullable OuterTransaction> transaction;

    private final Map<MethodClassKey, Advice> methods = new ConcurrentHashMap<>();

    LockInterceptor(Supplier<LockManager> locks, InTransaction inTransaction) {
        this.locks = SingletonSupplier.of(locks);
        this.transaction = SingletonSupplier.ofNullable(
                () -> ClassUtils.isPresent(TRANSACTIONS, LockInterceptor.class.getClassLoader())
                        ? new OuterTransaction(inTransaction)
                        : null);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation given) throws Throwable {
        if (!(given instanceof ProxyMethodInvocation invocation)) {
            throw new IllegalStateException("not a call of one of Spring's proxies: " + given);
        }
        Object target = invocation.getThis();
        if (target == null) {
            throw new IllegalStateException("@Lock on " + invocation.getMethod() + " needs an object to call it on");
        }
        Advice advice = advice(invocation.getMethod(), AopUtils.getTargetClass(target));
        OuterTransaction outer = advice.outer();
        if (outer != null) {
            outer.beforeCall(advice.method());
        }
        return advice.method().call(locks.get(), target, invocation.getArguments(), arguments -> {
            if (outer != null) {
                outer.holdAsSettled();
            }
            // Each subscriber of a reactive result runs the method anew, and an invocation goes on only once.
            return invocation.invocableClone(arguments).proceed();
        });
    }

    private Advice advice(Method called, Class<?> target) {
        return methods.computeIfAbsent(new MethodClassKey(called, target), key -> {
            AnnotatedMethod method = AnnotatedMethod.find(called, target)
                    .orElseThrow(() -> new IllegalStateException(called + " has no @Lock"));
            OuterTransaction outer = transaction.get();
            return new Advice(method, outer == null || outer.isLeftBy(called, target) ? null : outer);
        });
    }

    /** A method, and the transaction to look for when it is called; none if that does not matter to it. */
    private record Advice(AnnotatedMethod method, @Nullable OuterTransaction outer) {}
}
