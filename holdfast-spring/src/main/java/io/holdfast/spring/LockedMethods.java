// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.Lock;
import io.holdfast.weaving.AnnotatedMethod;
import io.holdfast.weaving.Woven;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The methods of a class that have {@link Lock}, or override one that has it. */
final class LockedMethods {
    private LockedMethods() {}

    /** Cheap enough to ask for the class of every bean. */
    static boolean existIn(Class<?> type) {
        return AnnotationUtils.isCandidateClass(type, Lock.class)
                && !Woven.class.isAssignableFrom(type)
                && Stream.concat(classes(type).stream(), Stream.of(ClassUtils.getAllInterfacesForClass(type)))
                        .flatMap(at -> Arrays.stream(ReflectionUtils.getDeclaredMethods(at)))
                        .anyMatch(LockedMethods::isAnnotated);
    }

    /** As the class itself declares or inherits them; private and static ones too. */
    static Set<Method> of(Class<?> type) {
        return existIn(type)
                ? MethodIntrospector.selectMethods(
                        type, (Method method) -> !method.isBridge() && AnnotatedMethod.exists(method, type))
                : Set.of();
    }

    /** The class and those it extends. */
    static Set<Class<?>> classes(Class<?> type) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            classes.add(at);
        }
        return classes;
    }

    private static boolean isAnnotated(Method method) {
        return method.isAnnotationPresent(Lock.class) || method.isAnnotationPresent(Lock.List.class);
    }
}
