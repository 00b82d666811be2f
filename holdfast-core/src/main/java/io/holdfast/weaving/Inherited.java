// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks for methods from a class upwards: itself, its superclasses, then all of their interfaces. */
final class Inherited {
    private Inherited() {}

    /** The same method, most specific first, and last as it is given. */
    static Stream<Method> methods(Method method, Class<?> target) {
        return Stream.concat(
                named(method.getName(), target).filter(candidate -> overrides(candidate, method)), Stream.of(method));
    }

    static Stream<Method> named(String name, Class<?> target) {
        return types(target).stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> !method.isBridge() && method.getName().equals(name));
    }

    /** With generics, a parameter or result may be narrower than in what is overridden. */
    private static boolean overrides(Method candidate, Method method) {
        if (Arrays.equals(candidate.getParameterTypes(), method.getParameterTypes())) {
            return true;
        }
        if (candidate.getParameterCount() != method.getParameterCount()
                || !(candidate.getDeclaringClass().isInterface() || hasBridge(candidate, method))) {
            return false;
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (!method.getParameterTypes()[i].isAssignableFrom(candidate.getParameterTypes()[i])) {
                return false;
            }
        }
        return true;
    }

    /** The compiler adds a bridge with the wider parameters where a method overrides by narrower ones. */
    private static boolean hasBridge(Method candidate, Method method) {
        return Stream.of(candidate.getDeclaringClass().getDeclaredMethods())
                .anyMatch(other -> other.isBridge()
                        && other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static Set<Class<?>> types(Class<?> target) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> at = target; at != null; at = at.getSuperclass()) {
            types.add(at);
        }
        for (Class<?> at : List.copyOf(types)) {
            addInterfaces(at, types);
        }
        return types;
    }

    private static void addInterfaces(@Nullable Class<?> type, Set<Class<?>> types) {
        if (type == null) {
            return;
        }
        for (Class<?> face : type.getInterfaces()) {
            types.add(face);
            addInterfaces(face, types);
        }
    }
}
