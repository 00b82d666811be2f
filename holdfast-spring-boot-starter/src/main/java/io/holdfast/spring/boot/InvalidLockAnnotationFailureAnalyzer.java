// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.spring.InvalidLockAnnotationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at start-up which methods with {@link io.holdfast.Lock} can't work, and what to do. */
final class InvalidLockAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockAnnotationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockAnnotationException cause) {
        StringBuilder description = new StringBuilder("Methods with @Lock that can't work as they are:\n\n");
        cause.problems()
                .forEach(problem -> description.append("    - ").append(problem).append('\n'));
        return new FailureAnalysis(
                description.toString(),
                "Change each of them as its line says. holdfast-processor tells most of this when the code is compiled.",
                cause);
    }
}
