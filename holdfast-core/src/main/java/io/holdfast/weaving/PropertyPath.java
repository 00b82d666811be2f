// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a placeholder's value from the arguments of a call: one of them, or properties that lead on from it. Immutable. */
final class PropertyPath {
    private final int argument;
    private final List<MethodHandle> steps;

    private PropertyPath(int argument, List<MethodHandle> steps) {
        this.argument = argument;
        this.steps = steps;
    }

    /**
     * Finds each property by the declared types, so that a wrong name shows before the first call.
     *
     * @param properties what leads on from the argument; may be empty
     */
    static PropertyPath of(int argument, Class<?> declared, List<String> properties) {
        List<MethodHandle> steps = new ArrayList<>();
        Class<?> type = declared;
        for (String property : properties) {
            MethodHandle step = step(type, property);
            steps.add(step);
            type = step.type().returnType();
        }
        String refusal = SignatureRules.refusal(type.getName(), type.isArray());
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
        return new PropertyPath(argument, steps);
    }

    /** Null when the value, or something on the way to it, is. */
    @Nullable
    Object read(@Nullable Object[] arguments) throws Throwable {
        Object value = arguments[argument];
        for (MethodHandle step : steps) {
            if (value == null) {
                return null;
            }
            value = step.invoke(value);
        }
        return value;
    }

    private static MethodHandle step(Class<?> type, String property) {
        for (String name : SignatureRules.accessors(property)) {
            Method method = method(type, name);
            if (method != null) {
                return handle(method, () -> MethodHandles.lookup().unreflect(method));
            }
        }
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(property) && isReadable(field.getModifiers())) {
                    return handle(field, () -> MethodHandles.lookup().unreflectGetter(field));
                }
            }
        }
        throw new IllegalArgumentException(SignatureRules.missing(type.getName(), property));
    }

    private static @Nullable Method method(Class<?> type, String name) {
        return Stream.concat(hierarchy(type), Stream.of(type.getMethods()))
                .filter(method -> method.getName().equals(name)
                        && method.getParameterCount() == 0
                        && method.getReturnType() != void.class
                        && isReadable(method.getModifiers()))
                .findFirst()
                .orElse(null);
    }

    /** Those that are not public too; a bridge comes after the method it stands for. */
    private static Stream<Method> hierarchy(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            List<Method> declared = List.of(at.getDeclaredMethods());
            declared.stream().filter(method -> !method.isBridge()).forEach(found::add);
        }
        return found.stream();
    }

    private static boolean isReadable(int modifiers) {
        return !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers);
    }

    private static MethodHandle handle(AccessibleObject member, Unreflected unreflected) {
        try {
            member.setAccessible(true);
            return unreflected.handle();
        } catch (InaccessibleObjectException | IllegalAccessException e) {
            throw new IllegalArgumentException(member + " is not accessible: " + e.getMessage(), e);
        }
    }

    @FunctionalInterface
    private interface Unreflected {
        MethodHandle handle() throws IllegalAccessException;
    }
}
