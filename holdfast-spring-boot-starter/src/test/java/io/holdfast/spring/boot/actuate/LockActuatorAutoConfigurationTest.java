// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.testkit.InMemoryLocks;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

class LockActuatorAutoConfigurationTest {
    private static final String EXPOSED = "management.endpoints.web.exposure.include=locks";

    private final InMemoryLocks test = InMemoryLocks.create();
    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockActuatorAutoConfiguration.class));
    private final ApplicationContextRunner application =
            empty.withBean(Holdfast.class, test::locks).withPropertyValues(EXPOSED);

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void withActuatorAndLocks_thereAreEndpointHealthAndListener() {
        application.run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(LocksEndpoint.class)
                .hasSingleBean(LocksHealthIndicator.class)
                .hasSingleBean(LockContention.class));
    }

    @Test
    void withoutLocks_thereIsNothing() {
        empty.withPropertyValues(EXPOSED)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LocksEndpoint.class)
                        .doesNotHaveBean(LocksHealthIndicator.class));
    }

    /** As Boot does: by name, so that what a class refers to need not be there. */
    private static final class ByName implements ImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {LockActuatorAutoConfiguration.class.getName()};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ByName.class)
    static class Importing {}

    @Test
    void withoutTheActuator_theApplicationStarts() {
        new ApplicationContextRunner()
                .withUserConfiguration(Importing.class)
                .withBean(Holdfast.class, test::locks)
                .withPropertyValues(EXPOSED)
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("locksEndpoint")
                        .doesNotHaveBean("locksHealthIndicator"));
    }

    @Test
    void withoutHealth_theEndpointStays() {
        application
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LocksEndpoint.class)
                        .doesNotHaveBean("locksHealthIndicator"));
    }

    @Test
    void endpoint_notExposed_isNotThere() {
        empty.withBean(Holdfast.class, test::locks)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(LocksEndpoint.class)
                        .doesNotHaveBean(LockContention.class)
                        .hasSingleBean(LocksHealthIndicator.class));
    }

    @Test
    void health_turnedOff_isNotThere() {
        application
                .withPropertyValues("management.health.locks.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(LocksHealthIndicator.class)
                        .hasSingleBean(LocksEndpoint.class));
    }

    @Test
    void forceRelease_byDefault_isForbiddenAndSaysWhatAllowsIt() {
        assertThat(test.locks().tryLock("order:42", Duration.ofMinutes(1))).isPresent();

        application.run(context -> {
            var answer = context.getBean(LocksEndpoint.class).forceRelease(new String[] {"order:42"}, null, null, null);

            assertThat(answer.getStatus()).isEqualTo(403);
            assertThat(String.valueOf(answer.getBody())).contains("management.endpoint.locks.force-release=true");
            assertThat(test.locks().inspect("order:42").isHeld()).isTrue();
        });
    }

    @Test
    void endpoint_isCalledLocks() {
        assertThat(LocksEndpoint.class.getAnnotation(Endpoint.class).id()).isEqualTo("locks");
    }
}
