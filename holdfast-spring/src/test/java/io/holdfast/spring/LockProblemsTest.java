// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockException;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.testkit.InMemoryLocks;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

class LockProblemsTest {
    private static final String KEY = "user:register:13800138000";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final InMemoryLocks store = InMemoryLocks.frozen();
    private final Holdfast rival = store.anotherProcess();
    private final LockProblems problems = new LockProblems(HttpStatus.CONFLICT, false);

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({"30000, 30", "29001, 30", "1001, 2", "1000, 1", "1, 1"})
    void busy_heldForThatLong_asksToComeBackAfterThatManySecondsRoundedUp(long millis, String seconds) {
        ResponseEntity<ProblemDetail> answer = problems.answer(busy(Duration.ofMillis(millis)));
        assertThat(answer.getStatusCode().value()).isEqualTo(409);
        assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo(seconds);
    }

    @Test
    void busy_asProblem_saysNothingOfKeyHolderOrToken() {
        LockNotAcquiredException busy = busy(LONG);
        ProblemDetail body = problems.answer(busy).getBody();
        assertThat(body.getType()).hasToString("urn:holdfast:lock-busy");
        assertThat(body.getTitle()).isEqualTo("Busy");
        assertThat(body.toString()).doesNotContain(KEY, busy.holder().orElseThrow());
    }

    @Test
    void busy_askedToBe423AndToShowTheKey_isAndDoes() {
        ResponseEntity<ProblemDetail> answer = new LockProblems(HttpStatus.LOCKED, true).answer(busy(LONG));
        assertThat(answer.getStatusCode().value()).isEqualTo(423);
        assertThat(answer.getBody().getProperties()).isEqualTo(Map.of("key", KEY));
    }

    @Test
    void interrupted_isUnavailable_becauseNobodyKnowsWhetherItIsBusy() {
        Optional<Lease> held = rival.tryLock(KEY, LONG);
        assertThat(held).isPresent();
        Thread.currentThread().interrupt();
        LockNotAcquiredException interrupted = catchThrowableOfType(
                LockNotAcquiredException.class, () -> store.locks().withLock(KEY, LONG, LONG, () -> {}));
        assertThat(Thread.interrupted()).isTrue();
        assertAnswer(interrupted, 503, "urn:holdfast:lock-unavailable", "1");
    }

    @Test
    void backend_unreachable_isUnavailableAndWorthAnotherTry() {
        store.failBackend();
        LockBackendException down = catchThrowableOfType(
                LockBackendException.class, () -> store.locks().withLock(KEY, LONG, () -> {}));
        assertThat(down.isUnavailable()).isTrue();
        assertAnswer(down, 503, "urn:holdfast:lock-unavailable", "1");
    }

    @Test
    void lost_isAnErrorThatNobodyShouldRepeatBlindly() {
        LockLostException lost = catchThrowableOfType(
                LockLostException.class, () -> store.locks().withLock(KEY, LONG, () -> store.expire(KEY)));
        assertAnswer(lost, 500, "urn:holdfast:lock-lost", null);
    }

    private void assertAnswer(LockException thrown, int status, String type, String retryAfter) {
        ResponseEntity<ProblemDetail> answer = problems.answer(thrown);
        assertThat(answer.getStatusCode().value()).isEqualTo(status);
        assertThat(answer.getBody().getStatus()).isEqualTo(status);
        assertThat(answer.getBody().getType()).hasToString(type);
        assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo(retryAfter);
        assertThat(answer.getBody().toString()).doesNotContain(KEY);
    }

    private LockNotAcquiredException busy(Duration ttl) {
        assertThat(rival.tryLock(KEY, ttl)).isPresent();
        return catchThrowableOfType(
                LockNotAcquiredException.class, () -> store.locks().withLock(KEY, LONG, () -> {}));
    }
}
