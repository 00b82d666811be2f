// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.weaving.AnnotatedMethod;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/** The methods with locks of a bean's class, and what is wrong with them. */
final class LockedType {
    /** What Spring never makes a proxy for, or needs before it can. */
    private static final List<Class<?>> NEVER_PROXIED = List.of(
            BeanFactoryPostProcessor.class,
            BeanPostProcessor.class,
            Advice.class,
            Advisor.class,
            Pointcut.class,
            AopInfrastructureBean.class);

    private final Class<?> type;
    private final Map<Method, AnnotatedMethod> methods = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private LockedType(Class<?> type) {
        this.type = type;
    }

    static LockedType of(Class<?> type, boolean byClass) {
        LockedType locked = new LockedType(type);
        for (Method method : LockedMethods.of(type)) {
            locked.add(method, byClass);
        }
        return locked;
    }

    private void add(Method method, boolean byClass) {
        try {
            AnnotatedMethod.find(method, type).ifPresent(annotated -> methods.put(method, annotated));
        } catch (IllegalArgumentException wrong) {
            problems.add(String.valueOf(wrong.getMessage()));
        }
        NEVER_PROXIED.stream()
                .filter(kind -> kind.isAssignableFrom(type))
                .forEach(kind -> report(
                        method,
                        "no proxy is made for a " + kind.getSimpleName() + ": move the method to another bean"));
        if (byClass && Modifier.isFinal(type.getModifiers())) {
            report(
                    method,
                    "the class is final, so no proxy can extend it: make it not final, or let it implement an "
                            + "interface and set spring.aop.proxy-target-class=false");
        } else if (byClass && Modifier.isFinal(method.getModifiers())) {
            report(
                    method,
                    "the method is final, so the proxy can't override it and would run it on itself: make it not final");
        }
    }

    private void report(Method method, String problem) {
        problems.add("@Lock on " + type.getSimpleName() + "." + method.getName() + ": " + problem);
    }

    /** Those that are as they should be. */
    List<AnnotatedMethod> methods() {
        return List.copyOf(methods.values());
    }

    List<String> problems() {
        return problems;
    }

    /** What callers can't reach because the bean is proxied by its interfaces only. */
    List<String> unreachable(@Nullable Object bean) {
        if (bean == null || !AopUtils.isJdkDynamicProxy(bean)) {
            return List.of();
        }
        Set<Method> reachable = Stream.of(ClassUtils.getAllInterfaces(bean))
                .flatMap(face -> Stream.of(face.getMethods()))
                .flatMap(method -> Stream.of(method, BridgeMethodResolver.getMostSpecificMethod(method, type)))
                .collect(Collectors.toSet());
        return methods.keySet().stream()
                .filter(method -> !reachable.contains(method))
                .map(method -> "@Lock on " + type.getSimpleName() + "." + method.getName()
                        + ": the bean is proxied by its interfaces, and none has this method: add it to one, or set "
                        + "spring.aop.proxy-target-class=true")
                .toList();
    }

    /** Certainly so: when the settings say it, or there is no interface to do it by. */
    static boolean isProxiedByClass(ConfigurableListableBeanFactory beans, String name, Class<?> type) {
        boolean bySetting = Stream.of(
                        AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, AutoProxyUtils.DEFAULT_PROXY_CONFIG_BEAN_NAME)
                .filter(beans::containsBeanDefinition)
                .map(config ->
                        beans.getBeanDefinition(config).getPropertyValues().get("proxyTargetClass"))
                .anyMatch(value -> value != null && Boolean.parseBoolean(value.toString()));
        // A lambda and somebody else's proxy are final, and proxied by interface whatever the settings say.
        return !type.isInterface()
                && !Proxy.isProxyClass(type)
                && !ClassUtils.isLambdaClass(type)
                && (bySetting
                        || AutoProxyUtils.shouldProxyTargetClass(beans, name)
                        || ClassUtils.getAllInterfacesForClass(type).length == 0);
    }
}
