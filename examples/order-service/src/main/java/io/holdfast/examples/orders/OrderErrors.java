// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.LockException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.spring.LockProblems;
import java.util.Locale;
import org.springframework.context.MessageSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Says what went wrong in words a front end can show, in the caller's language. Status and headers are Holdfast's own. */
@RestControllerAdvice
public class OrderErrors {
    private final LockProblems locks = new LockProblems(HttpStatus.CONFLICT, false);
    private final MessageSource messages;

    OrderErrors(MessageSource messages) {
        this.messages = messages;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> of(LockException failure, Locale language) {
        ResponseEntity<ProblemDetail> answer = locks.answer(failure);
        ProblemDetail problem = answer.getBody();
        if (problem != null && problem.getStatus() != HttpStatus.INTERNAL_SERVER_ERROR.value()) {
            problem.setDetail(text(message(failure), language));
        }
        return answer;
    }

    @ExceptionHandler
    ProblemDetail of(OrderRefused refused, Locale language) {
        return ProblemDetail.forStatusAndDetail(
                refused.status(), text(String.valueOf(refused.getMessage()), language, refused.arguments()));
    }

    /** Two first orders of a user at once, which only happens without a lock. */
    @ExceptionHandler
    ProblemDetail of(DuplicateKeyException twice, Locale language) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, text("busy.create", language));
    }

    private static String message(LockException failure) {
        if (!(failure instanceof LockNotAcquiredException)) {
            return "unavailable";
        }
        return failure.key().startsWith("order_create_lock:") ? "busy.create" : "busy.order";
    }

    private String text(String message, Locale language, Object... arguments) {
        return messages.getMessage(message, arguments, language);
    }
}
