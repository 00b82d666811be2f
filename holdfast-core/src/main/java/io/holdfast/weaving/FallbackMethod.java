// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.LockNotAcquiredException;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The method to call when a lock is busy. */
record FallbackMethod(Method method, boolean takesException) {

    static FallbackMethod find(String name, Method locked, Class<?> target) {
        Class<?>[] alike = locked.getParameterTypes();
        Class<?>[] withException = Arrays.copyOf(alike, alike.length + 1);
        withException[alike.length] = LockNotAcquiredException.class;
        Stream<Method> candidates = Stream.concat(
                taking(withException, name, target),
                name.equals(locked.getName()) ? Stream.empty() : taking(alike, name, target)); // never itself
        Method found = candidates
                .filter(method -> locked.getReturnType().isAssignableFrom(method.getReturnType()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(SignatureRules.noFallback(
                        name,
                        locked.getReturnType().getSimpleName(),
                        Stream.of(alike).map(Class::getSimpleName).toList())));
        try {
            found.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException("fallback " + found + " is not accessible: " + e.getMessage(), e);
        }
        return new FallbackMethod(found, found.getParameterCount() > alike.length);
    }

    private static Stream<Method> taking(Class<?>[] parameters, String name, Class<?> target) {
        return Inherited.named(name, target)
                .filter(method -> !Modifier.isPrivate(method.getModifiers())
                        && Arrays.equals(method.getParameterTypes(), parameters));
    }

    @Nullable
    Object call(Object target, @Nullable Object[] arguments, LockNotAcquiredException busy) throws Throwable {
        @Nullable Object[] all = arguments;
        if (takesException) {
            all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = busy;
        }
        try {
            return method.invoke(target, all);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
