// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockManager;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often and how long an acquire of a busy lock tries. */
@NullUnmarked
public abstract class RetryContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** On a machine that is busy with other things. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private Lease holder;

    @BeforeEach
    void holdTheLock() {
        holder = another().tryLock(key, TTL).orElseThrow();
        ready(locks);
    }

    @Test
    void noLimit_isOneTry() {
        LockNotAcquiredException busy = refused(options -> {});

        assertThat(busy.attempts()).isEqualTo(1);
        assertThat(busy.elapsed()).isLessThan(SOON);
    }

    @Test
    void maxAttempts_isThatManyTries() {
        LockNotAcquiredException busy =
                refused(options -> options.maxAttempts(3).retryInterval(Duration.ofMillis(50)));

        assertThat(busy.attempts()).isEqualTo(3);
        assertThat(busy.elapsed()).isBetween(Duration.ofMillis(100), SOON);
    }

    @Test
    void maxRetries_isThatManyTriesAfterTheFirst() {
        LockNotAcquiredException busy = refused(options -> options.maxRetries(2).retryInterval(Duration.ofMillis(20)));

        assertThat(busy.attempts()).isEqualTo(3);
    }

    @Test
    void lastTry_granted_isNoLongerListedAsWaiting() {
        Holdfast patient = another(builder -> builder.listener(new LockListener() {
            @Override
            public void contended(LockEvent event) {
                holder.release();
            }
        }));

        try (Lease lease = patient.lock(key, options -> options.maxAttempts(2)).acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(locks.inspect(key).waiting()).isEmpty();
        }
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void maxRetries_none_isOneTry() {
        assertThat(refused(options -> options.maxRetries(0)).attempts()).isEqualTo(1);
    }

    @Test
    void maxElapsed_endsIt() {
        LockNotAcquiredException busy =
                refused(options -> options.maxElapsed(Duration.ofMillis(300)).retryInterval(Duration.ofMillis(50)));

        assertThat(busy.attempts()).isBetween(1, 7);
        assertThat(busy.elapsed()).isBetween(Duration.ofMillis(300), SOON);
    }

    @Test
    void maxAttemptsAndMaxElapsed_theFirstOneReachedEndsIt() {
        assertThat(refused(options -> options.maxAttempts(2)
                                .maxElapsed(Duration.ofMinutes(1))
                                .retryInterval(Duration.ofMillis(20)))
                        .attempts())
                .isEqualTo(2);
        assertThat(refused(options -> options.maxAttempts(1_000)
                                .maxElapsed(Duration.ofMillis(150))
                                .retryInterval(Duration.ofMillis(40)))
                        .attempts())
                .isBetween(1, 4);
    }

    @Test
    void wait_endsAtTheDeadlineAndNotBefore() {
        long start = System.nanoTime();
        assertThat(locks.tryLock(key, TTL, Duration.ofMillis(300))).isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300), SOON);
    }

    @Test
    void wait_shorterThanTheInterval_endsAtTheDeadline() {
        long start = System.nanoTime();
        assertThat(locks.tryLock(key, TTL, Duration.ofMillis(120), Duration.ofMinutes(10)))
                .isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(120), SOON);
    }

    @Test
    void waitAsLongAsCanBe_works() throws Exception {
        var waits = Stream.<Worker<Boolean>>of(
                        Worker.start(() -> locks.lock(key).tryLock(Long.MAX_VALUE, TimeUnit.DAYS)
                                && locks.lock(key).release()),
                        Worker.start(() -> locks.lock(key).tryLock(Long.MAX_VALUE - 1, TimeUnit.NANOSECONDS)
                                && locks.lock(key).release()),
                        Worker.start(() -> locks.tryLock(key, TTL, Duration.ofSeconds(Long.MAX_VALUE))
                                .orElseThrow()
                                .release()),
                        Worker.start(() -> locks.lock(key)
                                .acquire(Duration.ofNanos(Long.MAX_VALUE))
                                .release()))
                .toList();
        eventually().until(() -> locks.waitingAcquires() == waits.size());

        holder.release();

        for (Worker<Boolean> wait : waits) {
            assertThat(wait.result()).isTrue();
        }
    }

    @Test
    void retryInterval_isAtLeast10Milliseconds() {
        assertThat(LockOptions.builder()
                        .retryInterval(Duration.ofNanos(1))
                        .build()
                        .retryInterval())
                .isEqualTo(Duration.ofMillis(10));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().retryInterval(Duration.ZERO))
                .withMessageContaining("retryInterval");
        LockNotAcquiredException busy =
                refused(options -> options.maxElapsed(Duration.ofMillis(200)).retryInterval(Duration.ofNanos(1)));
        assertThat(busy.attempts()).isBetween(1, 21);
    }

    @Test
    void retryInterval_byDefault_is100Or50Milliseconds() {
        assertThat(LockOptions.defaults().retryInterval()).isEqualTo(Duration.ofMillis(100));
        assertThat(LockManager.DEFAULT_RETRY_INTERVAL).isEqualTo(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 50})
    void threeAttempts_spacedByTheInterval_asTheOrderServiceHasThem(int millis) {
        LockNotAcquiredException busy = refused(
                options -> options.ttl(Duration.ofSeconds(30)).maxAttempts(3).retryInterval(Duration.ofMillis(millis)));

        assertThat(busy.attempts()).isEqualTo(3);
        assertThat(busy.elapsed()).isBetween(Duration.ofMillis(2L * millis), SOON);
    }

    @Test
    void attempts_whileTheHolderReleases_getTheLock() throws Exception {
        Worker<Lease> waiter = Worker.start(() -> locks.lock(
                        key, options -> options.maxAttempts(1_000).retryInterval(Duration.ofMillis(20)))
                .acquire());
        eventually().until(() -> locks.waitingAcquires() == 1);

        holder.release();

        assertThat(waiter.result().isHeld()).isTrue();
    }

    @Test
    void refused_leavesNothingBehind() {
        refused(options -> options.maxAttempts(2).retryInterval(Duration.ofMillis(10)));

        holder.release();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
    }

    private LockNotAcquiredException refused(Consumer<LockOptions.Builder> limits) {
        return catchThrowableOfType(
                LockNotAcquiredException.class, () -> locks.lock(key, limits).acquire());
    }
}
