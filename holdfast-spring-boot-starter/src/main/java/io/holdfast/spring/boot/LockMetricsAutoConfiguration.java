// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.micrometer.LockMetrics;
import io.holdfast.micrometer.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Metrics and traces of locks, for an application that has {@code holdfast-micrometer} and somewhere to send them. */
@AutoConfiguration(
        beforeName = "io.holdfast.spring.boot.HoldfastAutoConfiguration",
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({LockMetrics.class, MeterRegistry.class})
public class LockMetricsAutoConfiguration {

    /** For Spring. */
    public LockMetricsAutoConfiguration() {}

    /** A listener like any other: whoever makes the {@link Holdfast} gives it all of them. */
    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
    LockMetrics lockMetrics(MeterRegistry registry) {
        return new LockMetrics(registry);
    }

    @Bean
    @ConditionalOnBean(LockMetrics.class)
    SmartInitializingSingleton lockGauges(LockMetrics metrics, ObjectProvider<Holdfast> locks) {
        return () -> locks.ifUnique(metrics::bindTo);
    }

    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "holdfast.metrics.observations")
    LockObservations lockObservations(ObservationRegistry registry) {
        return new LockObservations(registry);
    }
}
