// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockManager;
import io.holdfast.weaving.AnnotatedMethod;
import java.io.Serial;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/** Puts the {@link LockInterceptor} around each method with {@link io.holdfast.Lock}, on its class or on an interface. */
public final class LockAdvisor extends StaticMethodMatcherPointcutAdvisor {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * An advisor with those settings.
     *
     * @param locks asked at the first call of a method with a lock: the advisor is made before most beans
     */
    public LockAdvisor(Supplier<LockManager> locks, LockAdviceSettings settings) {
        super(new LockInterceptor(locks, settings.inTransaction()));
        setOrder(settings.order());
        setClassFilter(LockedMethods::existIn);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return AnnotatedMethod.exists(method, targetClass);
    }
}
