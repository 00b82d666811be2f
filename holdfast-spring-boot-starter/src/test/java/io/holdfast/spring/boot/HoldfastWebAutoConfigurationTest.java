// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.LockExceptionAdvice;
import io.holdfast.spring.LockProblems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

class HoldfastWebAutoConfigurationTest {
    private static final AutoConfigurations ANSWERS = AutoConfigurations.of(HoldfastWebAutoConfiguration.class);

    private final WebApplicationContextRunner web = new WebApplicationContextRunner().withConfiguration(ANSWERS);

    @Test
    void webApplication_hasTheAdvice() {
        web.run(context -> assertThat(context).hasSingleBean(LockExceptionAdvice.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"holdfast.web.enabled=false", "holdfast.enabled=false"})
    void switchedOff_leavesNoAdvice(String how) {
        web.withPropertyValues(how).run(context -> assertThat(context).doesNotHaveBean(LockExceptionAdvice.class));
    }

    @Test
    void otherApplications_haveNoAdvice() {
        new ApplicationContextRunner()
                .withConfiguration(ANSWERS)
                .run(context -> assertThat(context).doesNotHaveBean(LockExceptionAdvice.class));
        web.withClassLoader(new FilteredClassLoader(ProblemDetail.class))
                .run(context -> assertThat(context).doesNotHaveBean("lockExceptionAdvice"));
    }

    @Test
    void ownProblems_areUsed() {
        LockProblems own = new LockProblems(HttpStatus.TOO_MANY_REQUESTS, true);
        web.withBean(LockProblems.class, () -> own)
                .run(context -> assertThat(context.getBean(LockProblems.class)).isSameAs(own));
    }

    @Test
    void busyStatus_neither409Nor423_failsTheStart() {
        web.withPropertyValues("holdfast.web.busy-status=404")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(HoldfastConfigurationException.class)
                        .hasMessageContaining("holdfast.web.busy-status")
                        .hasMessageContaining("404"));
    }
}
