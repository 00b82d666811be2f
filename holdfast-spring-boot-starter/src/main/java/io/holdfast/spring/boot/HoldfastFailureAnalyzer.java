// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What Boot prints when the start failed for a {@link HoldfastConfigurationException}. */
final class HoldfastFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HoldfastConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.advice(), cause);
    }
}
