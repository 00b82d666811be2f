// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockBackendException;
import io.holdfast.LockException;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * Says to an HTTP caller what a lock threw, as a problem detail (RFC 9457). Immutable.
 *
 * <table>
 * <caption>Answers</caption>
 * <tr><th>exception</th><th>status</th><th>{@code Retry-After}</th></tr>
 * <tr><td>{@link LockNotAcquiredException}</td><td>409, or as set</td><td>when the holder's key ends, at least 1 s</td></tr>
 * <tr><td>the same, because the thread was interrupted</td><td>503</td><td>1 s</td></tr>
 * <tr><td>{@link LockBackendException}</td><td>503</td><td>1 s, unless somebody has to mend something first</td></tr>
 * <tr><td>{@link LockLostException}</td><td>500</td><td>none: the work was done, without protection</td></tr>
 * </table>
 *
 * <p>The exception's own message stays here: it names the holder and the server.
 */
public final class LockProblems {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final HttpStatusCode busy;
    private final boolean showKey;

    /**
     * Chooses.
     *
     * @param busy status of a busy lock: 409 Conflict or 423 Locked
     * @param showKey whether to name the lock's key; it may hold what the caller is not to know, or nobody is to log
     */
    public LockProblems(HttpStatusCode busy, boolean showKey) {
        this.busy = busy;
        this.showKey = showKey;
    }

    /** The answer to one exception, {@code Retry-After} included. */
    public ResponseEntity<ProblemDetail> answer(LockException thrown) {
        if (thrown instanceof LockNotAcquiredException notAcquired) {
            return notAcquired.getCause() instanceof InterruptedException
                    ? unavailable(thrown, SOON)
                    : busy(notAcquired);
        }
        if (thrown instanceof LockBackendException backend) {
            return unavailable(thrown, backend.isUnavailable() ? SOON : Duration.ZERO);
        }
        return lost(thrown);
    }

    private ResponseEntity<ProblemDetail> busy(LockNotAcquiredException thrown) {
        ProblemDetail problem = problem(busy, "lock-busy", thrown);
        problem.setTitle("Busy");
        problem.setDetail("Somebody else is working on this. Nothing was done; try again later.");
        return entity(problem, thrown.holderTtl().orElse(SOON));
    }

    private ResponseEntity<ProblemDetail> unavailable(LockException thrown, Duration retryAfter) {
        ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, "lock-unavailable", thrown);
        problem.setTitle("Lock unavailable");
        problem.setDetail("It could not be made sure that nobody else is working on this.");
        return entity(problem, retryAfter);
    }

    private ResponseEntity<ProblemDetail> lost(LockException thrown) {
        ProblemDetail problem = problem(HttpStatus.INTERNAL_SERVER_ERROR, "lock-lost", thrown);
        problem.setTitle("Lock lost");
        problem.setDetail("Protection ended before the work did. Check the outcome before trying again.");
        return entity(problem, Duration.ZERO);
    }

    private ProblemDetail problem(HttpStatusCode status, String type, LockException thrown) {
        ProblemDetail problem = ProblemDetail.forStatus(status);
        problem.setType(URI.create("urn:holdfast:" + type));
        if (showKey) {
            problem.setProperty("key", thrown.key());
        }
        return problem;
    }

    /** Whole seconds, rounded up: a caller that comes back too soon meets the same holder. */
    private static ResponseEntity<ProblemDetail> entity(ProblemDetail problem, Duration retryAfter) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(problem.getStatus());
        if (!retryAfter.isZero()) {
            long seconds = Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds());
            answer.header(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        }
        return answer.body(problem);
    }
}
