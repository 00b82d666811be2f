// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.spring.LockExceptionAdvice;
import io.holdfast.spring.LockProblems;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** HTTP answers to what locks throw, in Spring MVC and WebFlux alike, whoever made the {@code LockManager}. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnBooleanProperty(
        name = {"holdfast.enabled", "holdfast.web.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
public class HoldfastWebAutoConfiguration {

    /** For Spring. */
    public HoldfastWebAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LockProblems lockProblems(HoldfastProperties properties) {
        int busy = properties.web().busyStatus();
        if (busy != HttpStatus.CONFLICT.value() && busy != HttpStatus.LOCKED.value()) {
            throw HoldfastConfigurationException.ofProperty(
                    "holdfast.web.busy-status",
                    new IllegalArgumentException("a busy lock is 409 or 423 over HTTP, not " + busy));
        }
        return new LockProblems(HttpStatus.valueOf(busy), properties.web().includeKey());
    }

    @Bean
    @ConditionalOnMissingBean
    LockExceptionAdvice lockExceptionAdvice(LockProblems problems) {
        return new LockExceptionAdvice(problems);
    }
}
