// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers for controllers that let a lock's exception go by, in Spring MVC and in WebFlux. Comes last: an application's own
 * handler for the same exception, or for any exception, is asked first.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public class LockExceptionAdvice {
    private final LockProblems problems;

    /** Answers with these. */
    public LockExceptionAdvice(LockProblems problems) {
        this.problems = problems;
    }

    /** For Spring. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> answer(LockException thrown) {
        return problems.answer(thrown);
    }
}
