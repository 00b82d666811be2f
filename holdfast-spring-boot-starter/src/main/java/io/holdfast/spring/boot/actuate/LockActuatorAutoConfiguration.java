// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import io.holdfast.Holdfast;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint {@code locks} and the health of locks, for an application that has the actuator and a {@link Holdfast}. */
@AutoConfiguration(
        afterName = "io.holdfast.spring.boot.HoldfastAutoConfiguration",
        beforeName =
                "org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration")
@ConditionalOnSingleCandidate(Holdfast.class)
public class LockActuatorAutoConfiguration {

    /** For Spring. */
    public LockActuatorAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @ConditionalOnAvailableEndpoint(LocksEndpoint.class)
    @EnableConfigurationProperties(LocksEndpointProperties.class)
    static class EndpointConfiguration {

        /** A listener like any other: whoever makes the {@link Holdfast} gives it all of them. */
        @Bean
        @ConditionalOnMissingBean
        LockContention lockContention() {
            return new LockContention();
        }

        @Bean
        @ConditionalOnMissingBean
        LocksEndpoint locksEndpoint(
                Holdfast locks,
                LockContention contention,
                LocksEndpointProperties properties,
                ApplicationEventPublisher events) {
            return new LocksEndpoint(locks, contention, properties.forceRelease(), events);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("locks")
    @EnableConfigurationProperties(LocksHealthProperties.class)
    static class HealthConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "locksHealthIndicator")
        LocksHealthIndicator locksHealthIndicator(Holdfast locks, LocksHealthProperties properties) {
            return new LocksHealthIndicator(locks, properties);
        }
    }
}
