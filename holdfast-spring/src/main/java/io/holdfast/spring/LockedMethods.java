// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.Lock;
import io.holdfast.weaving.AnnotatedMethod;
import io.holdfast.weaving.Woven;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The methods of a class that have {@link Lock}, or override one that has it. */
final class LockedMethods {
    private static final String SPRING = "org.springframework.";
    private static final String HOLDFAST = "io.holdfast.";
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

    /** What Boot often makes beans of, with more methods than the rest of an application together. */
    private static final List<String> OTHER_LIBRARIES = List.of(
            "com.fasterxml.jackson.",
            "com.zaxxer.hikari.",
            "io.lettuce.core.",
            "io.micrometer.",
            "io.netty.",
            "jakarta.persistence.",
            "jakarta.servlet.",
            "jakarta.validation.",
            "org.hibernate.",
            "redis.clients.jedis.",
            "tools.jackson.");

    /** Our own beans, most of them in every application; what is nested in a class is no bean of ours. */
    private static final Set<String> OWN = Set.of(
            "io.holdfast",
            "io.holdfast.jedis",
            "io.holdfast.lettuce",
            "io.holdfast.micrometer",
            "io.holdfast.spi",
            "io.holdfast.spring",
            "io.holdfast.spring.boot",
            "io.holdfast.spring.boot.actuate");

    private static final ClassValue<Boolean> EXIST = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return search(type);
        }
    };

    private LockedMethods() {}

    /** Cheap enough to ask for the class of every bean, more than once. */
    static boolean existIn(Class<?> type) {
        return !isLibrarys(type) && EXIST.get(type);
    }

    /** Whatever it extends or implements counts too, and is searched only once for all who do. */
    private static boolean search(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Lock.class) || Woven.class.isAssignableFrom(type)) {
            return false;
        }
        if (isAnnotated(ReflectionUtils.getDeclaredMethods(type))) {
            return true;
        }
        for (Class<?> face : type.getInterfaces()) {
            if (existIn(face)) {
                return true;
            }
        }
        Class<?> parent = type.getSuperclass();
        return parent != null && existIn(parent);
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
     * Of a package that only a library's own jars have: they know nothing of locks, nor does what their classes extend. Most
     * beans of an application are of these, and the methods of a class can't be listed without loading every class they mention.
     */
    private static boolean isLibrarys(Class<?> type) {
        String name = type.getName();
        return (name.startsWith(SPRING) ? isSpringsOwn(name) : isOfOtherLibrary(name)) && !isProxy(type, name);
    }

    /** Somebody's proxy is in the package of what it stands for, and may have interfaces of the application. */
    private static boolean isProxy(Class<?> type, String name) {
        return Proxy.isProxyClass(type) || name.contains(ClassUtils.CGLIB_CLASS_SEPARATOR);
    }

    private static boolean isSpringsOwn(String name) {
        int end = name.indexOf('.', SPRING.length());
        return end > 0 && SPRINGS_OWN.contains(name.substring(SPRING.length(), end));
    }

    private static boolean isOfOtherLibrary(String name) {
        if (name.startsWith(HOLDFAST)) {
            return name.indexOf('$') < 0 && OWN.contains(name.substring(0, name.lastIndexOf('.')));
        }
        for (String library : OTHER_LIBRARIES) {
            if (name.startsWith(library)) {
                return true;
            }
        }
        return false;
    }
}
