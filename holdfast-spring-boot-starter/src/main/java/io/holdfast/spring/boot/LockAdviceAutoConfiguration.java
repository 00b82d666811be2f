// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.LockAdviceSettings;
import io.holdfast.spring.boot.HoldfastProperties.Advice;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * {@link io.holdfast.Lock} on beans, with the settings in {@code holdfast.advice}. Static beans with the infrastructure role:
 * the advisor needs them before most beans, and making this class then would keep post-processors from it.
 */
@AutoConfiguration(afterName = "io.holdfast.spring.boot.HoldfastAutoConfiguration")
@ConditionalOnBooleanProperty(name = "holdfast.advice.enabled", matchIfMissing = true)
@EnableLocks
public final class LockAdviceAutoConfiguration {

    /** Bound by hand: a bean of properties would have to be made before those that could process it. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockAdviceSettings holdfastAdviceSettings(Environment environment) {
        Advice advice = Binder.get(environment).bindOrCreate("holdfast.advice", Advice.class);
        return new LockAdviceSettings(advice.order(), advice.inTransaction(), advice.warnOfSelfInvocation());
    }
}
