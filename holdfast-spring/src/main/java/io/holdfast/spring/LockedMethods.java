// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.Lock;
import io.holdfast.weaving.AnnotatedMethod;
import io.holdfast.weaving.Woven;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The methods of a class that have {@link Lock}, or override one that has it. */
final class LockedMethods {
    private static final String SPRING = "org.springframework.";
    /** Not all there is: applications live in {@code org.springframework} too, such as the samples. */
    private static final Set<String> SPRINGS_OWN = Set.of(
            "aop",
            "beans",
            "boot",
            "cache",
            "context",
            "core",
            "data",
            "format",
            "http",
            "jmx",
            "scheduling",
            "transaction",
            "validation",
            "web");

    private static final ClassValue<Boolean> EXIST = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return search(type);
        }
    };

    private LockedMethods() {}

    /** Cheap enough to ask for the class of every bean, more than once. */
    static boolean existIn(Class<?> type) {
        return EXIST.get(type);
    }

    private static boolean search(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Lock.class) || Woven.class.isAssignableFrom(type)) {
            return false;
        }
        Set<Class<?>> all = classes(type);
        Collections.addAll(all, ClassUtils.getAllInterfacesForClass(type));
        for (Class<?> at : all) {
            if (!isSpringsOwn(at) && isAnnotated(ReflectionUtils.getDeclaredMethods(at))) {
                return true;
            }
        }
        return false;
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

    private static boolean isAnnotated(Method[] methods) {
        for (Method method : methods) {
            if (method.isAnnotationPresent(Lock.class) || method.isAnnotationPresent(Lock.List.class)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Of a package that only Spring's own jars have: they know nothing of locks. Most beans of an application are of these, and
     * the methods of a class can't be listed without loading every class they mention.
     */
    private static boolean isSpringsOwn(Class<?> type) {
        String name = type.getName();
        if (!name.startsWith(SPRING)) {
            return false;
        }
        int end = name.indexOf('.', SPRING.length());
        return end > 0 && SPRINGS_OWN.contains(name.substring(SPRING.length(), end));
    }
}
