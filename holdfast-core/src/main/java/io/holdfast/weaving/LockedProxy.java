// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.LockManager;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Passes calls of an interface on to an object, under the locks that {@link io.holdfast.Lock} asks for. */
public final class LockedProxy implements InvocationHandler {
    private static final @Nullable Object[] NONE = {};

    private final Object target;
    private final LockManager locks;
    private final Map<Method, AnnotatedMethod> locked = new HashMap<>();
    private final Map<Method, Method> accessible = new HashMap<>();

    private LockedProxy(Class<?> face, Object target, LockManager locks) {
        this.target = target;
        this.locks = locks;
        for (Method method : face.getMethods()) {
            AnnotatedMethod.find(method, target.getClass())
                    .ifPresent(annotated -> locked.put(method, annotated.check(locks)));
            if (method.trySetAccessible()) { // the interface need not be public
                accessible.put(method, method);
            }
        }
    }

    /** See {@link io.holdfast.Locks#proxy}. */
    public static <T> T of(Class<T> face, T target, LockManager locks) {
        if (!face.isInterface()) {
            throw new IllegalArgumentException(face.getName() + " is not an interface, so a proxy can't stand for it; "
                    + "holdfast-processor weaves classes");
        }
        LockedProxy proxy = new LockedProxy(face, target, locks);
        if (proxy.locked.isEmpty()) {
            throw new IllegalArgumentException("no method of " + face.getName() + " has a @Lock, nor has "
                    + target.getClass().getName() + " one on such a method");
        }
        return face.cast(Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, proxy));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given) throws Throwable {
        @Nullable Object[] arguments = given == null ? NONE : given;
        AnnotatedMethod annotated = locked.get(method);
        if (annotated == null) {
            return method.getName().equals("equals") && method.getDeclaringClass() == Object.class
                    ? equal(arguments[0])
                    : pass(method, arguments);
        }
        return annotated.call(locks, target, arguments, under -> pass(method, under));
    }

    /** Two that stand for the same object are equal, as their hash codes are. */
    private boolean equal(@Nullable Object other) {
        return other != null
                && Proxy.isProxyClass(other.getClass())
                && Proxy.getInvocationHandler(other) instanceof LockedProxy alike
                && alike.target.equals(target);
    }

    private @Nullable Object pass(Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return accessible.getOrDefault(method, method).invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
