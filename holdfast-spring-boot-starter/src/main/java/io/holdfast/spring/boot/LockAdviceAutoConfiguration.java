// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.LockAdviceSettings;
import io.holdfast.spring.boot.HoldfastProperties.Advice;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
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

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("holdfast.advice");

    /**
     * Bound by hand: a bean of properties would have to be made before those that could process it. And only if there is
     * something to bind: few applications change this, and to find only defaults takes milliseconds of each start.
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static LockAdviceSettings holdfastAdviceSettings(Environment environment) {
        if (!isSet(environment)) {
            return LockAdviceSettings.defaults();
        }
        Advice advice = Binder.get(environment).bindOrCreate(PREFIX, Bindable.of(Advice.class), null);
        return new LockAdviceSettings(advice.order(), advice.inTransaction(), advice.warnOfSelfInvocation());
    }

    /** Also true where a source can't tell. */
    private static boolean isSet(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.containsDescendantOf(PREFIX) != ConfigurationPropertyState.ABSENT) {
                return true;
            }
        }
        return false;
    }
}
