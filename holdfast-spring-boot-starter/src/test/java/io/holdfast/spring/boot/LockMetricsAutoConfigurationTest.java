// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockBackendException;
import io.holdfast.LockManager;
import io.holdfast.micrometer.LockMetrics;
import io.holdfast.micrometer.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class LockMetricsAutoConfigurationTest {
    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HoldfastAutoConfiguration.class, LockMetricsAutoConfiguration.class))
            .withPropertyValues("holdfast.uri=redis://127.0.0.1:1");

    @Test
    void metrics_withARegistry_areGivenToTheLocksAndHaveTheirGauges() {
        context.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(run -> {
            assertThat(run).hasSingleBean(LockMetrics.class).doesNotHaveBean(LockObservations.class);
            MeterRegistry registry = run.getBean(MeterRegistry.class);
            assertThat(registry.get("holdfast.lock.held").gauge().value()).isZero();

            assertThatThrownBy(() -> run.getBean(LockManager.class).tryLock("order:1", Duration.ofSeconds(1)))
                    .isInstanceOf(LockBackendException.class);

            assertThat(registry.get("holdfast.lock.acquire")
                            .tag("outcome", "failed")
                            .timer()
                            .count())
                    .isOne();
        });
    }

    @Test
    void metrics_withoutARegistryOrSwitchedOff_areNotThere() {
        context.run(run -> assertThat(run).hasNotFailed().doesNotHaveBean(LockMetrics.class));
        context.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("holdfast.metrics.enabled=false")
                .run(run -> assertThat(run).hasNotFailed().doesNotHaveBean(LockMetrics.class));
    }

    @Test
    void application_withoutMicrometer_starts() {
        context.withClassLoader(new FilteredClassLoader("io.holdfast.micrometer", "io.micrometer"))
                .run(run -> assertThat(run).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    @Test
    void observations_whenAskedFor_areThere() {
        context.withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("holdfast.metrics.observations=true")
                .run(run -> assertThat(run).hasSingleBean(LockObservations.class));
    }
}
