// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockManager;
import io.holdfast.weaving.AnnotatedMethod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Checks every {@link io.holdfast.Lock} of every bean when the application starts, lazy ones too, and makes none for it.
 *
 * <p>Twice: before the first bean is made by the types that the definitions tell, because a final class would fail with
 * somebody else's message; and after the last one by what they turned out to be, together with the lock manager's defaults.
 */
public final class LockValidator implements BeanFactoryPostProcessor, SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(LockValidator.class);

    /** Those with locks; of most beans there is nothing to remember. */
    private final Map<Class<?>, LockedType> seen = new LinkedHashMap<>();

    private @Nullable ConfigurableListableBeanFactory factory;

    LockValidator() {}

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        factory = beans;
        List<String> problems = new ArrayList<>();
        forEachBean(beans, name -> look(beans, name, beans.getType(name, false), problems));
        refuse(problems);
    }

    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory beans = factory;
        if (beans == null) {
            return;
        }
        List<String> problems = new ArrayList<>();
        forEachBean(beans, name -> {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            LockedType locked = look(beans, name, type, problems);
            if (locked != null && !locked.methods().isEmpty() && beans.containsSingleton(name)) {
                lookAtProxy(name, beans.getSingleton(name), locked, problems);
            }
        });
        checkDefaults(beans, problems);
        refuse(problems);
        warnOfSelfInvocation(beans);
    }

    private @Nullable LockedType look(
            ConfigurableListableBeanFactory beans, String name, @Nullable Class<?> type, List<String> problems) {
        if (type == null) {
            return null;
        }
        Class<?> user = ClassUtils.getUserClass(type);
        if (!LockedMethods.existIn(user)) {
            return null;
        }
        LockedType known = seen.get(user);
        if (known == null) {
            known = LockedType.of(user, LockedType.isProxiedByClass(beans, name, user));
            seen.put(user, known);
            problems.addAll(known.problems());
        }
        return known;
    }

    private static void lookAtProxy(String name, @Nullable Object bean, LockedType locked, List<String> problems) {
        problems.addAll(locked.unreachable(bean));
        if (!ProxiedBean.takesLocks(bean)) {
            log.warn(
                    "Bean {} takes none of its locks ({}): it is a mock, or was made before the proxies could be.",
                    name,
                    locked.methods());
        }
    }

    private void checkDefaults(ConfigurableListableBeanFactory beans, List<String> problems) {
        List<AnnotatedMethod> methods =
                seen.values().stream().flatMap(type -> type.methods().stream()).toList();
        if (methods.isEmpty()) {
            return;
        }
        LockManager manager;
        try {
            manager = beans.getBean(LockManager.class);
        } catch (NoSuchBeanDefinitionException e) {
            problems.add(
                    "@Lock on " + methods.get(0) + ": it needs one bean of type LockManager (" + e.getMessage() + ")");
            return;
        }
        for (AnnotatedMethod method : methods) {
            try {
                method.check(manager);
            } catch (IllegalArgumentException wrong) {
                problems.add("@Lock on " + wrong.getMessage());
            }
        }
    }

    private void warnOfSelfInvocation(ConfigurableListableBeanFactory beans) {
        if (seen.isEmpty()) {
            return;
        }
        LockAdviceSettings settings =
                beans.getBeanProvider(LockAdviceSettings.class).getIfAvailable(LockAdviceSettings::defaults);
        if (settings.warnOfSelfInvocation()) {
            seen.keySet().stream()
                    .flatMap(type -> SelfInvocations.in(type, LockedMethods.of(type)).stream())
                    .distinct()
                    .forEach(call -> log.warn(
                            "{} on this, which bypasses the proxy and with it the lock: move one of the two to another bean, "
                                    + "or call it through an injected reference to the bean itself.",
                            call));
        }
    }

    private static void forEachBean(ConfigurableListableBeanFactory beans, Consumer<String> look) {
        for (String name : beans.getBeanDefinitionNames()) {
            boolean isAbstract = beans.getBeanDefinition(name).isAbstract();
            if (isAbstract || ScopedProxyUtils.isScopedTarget(name)) {
                continue;
            }
            try {
                look.accept(name);
            } catch (LinkageError | BeansException | IllegalStateException e) {
                log.debug("Bean {} can't be searched for @Lock", name, e); // a class it mentions is not there
            }
        }
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidLockAnnotationException(
                    problems.stream().distinct().toList());
        }
    }
}
