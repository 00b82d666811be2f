// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockManager;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** What {@link EnableLocks} adds. Static throughout: these are made before the beans they are for. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LockConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAdvisor holdfastLockAdvisor(BeanFactory beans, ObjectProvider<LockAdviceSettings> settings) {
        // Not injected: of several managers, the one with a parameter's name would be taken.
        return new LockAdvisor(
                () -> beans.getBean(LockManager.class), settings.getIfAvailable(LockAdviceSettings::defaults));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockValidator holdfastLockValidator() {
        return new LockValidator();
    }
}
