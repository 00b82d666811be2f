// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LostReason;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Running a block under a lock: its result, its exception, and what happens to the lock meanwhile. */
@NullUnmarked
public abstract class WithLockContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void withLock_free_runsTheBlockUnderTheLockAndReleases() {
        AtomicBoolean held = new AtomicBoolean();

        locks.withLock(key, TTL, () -> held.set(backdoor.exists(lockKey())));

        assertThat(held).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void withLock_withAResult_returnsIt() {
        int answer = locks.withLock(key, TTL, () -> 42);

        assertThat(answer).isEqualTo(42);
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void withLock_ofALockObject_runsAndReleases() {
        String result = locks.lock(key).withLock(() -> backdoor.get(lockKey()));

        assertThat(result).isNotNull();
        AtomicBoolean ran = new AtomicBoolean();
        locks.lock(key).withLock(() -> ran.set(true));
        assertThat(ran).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void withLock_blockThrowsAChecked_exceptionThatVeryOneComesOutAndTheLockIsReleased() {
        IOException failure = new IOException("the block's own");

        assertThatThrownBy(() -> locks.withLock(key, TTL, () -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void withLock_blockThrowsAnError_theLockIsReleased() {
        AssertionError failure = new AssertionError("the block's own");

        assertThatThrownBy(() -> locks.withLock(key, TTL, Duration.ZERO, (Runnable) () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void withLock_heldByAnotherWhileWaiting_throwsAfterTheWaitAndDoesNotRunTheBlock() {
        assertThat(another(builder -> builder.note("host-b/12")).tryLock(key, TTL))
                .isPresent();
        AtomicBoolean ran = new AtomicBoolean();
        ready(locks);

        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() ->
                        locks.withLock(key, TTL, Duration.ofMillis(200), Duration.ofMillis(50), () -> ran.set(true)))
                .satisfies(busy -> {
                    assertThat(busy).hasMessageStartingWith("Lock not acquired: " + key);
                    assertThat(busy.getMessage()).contains("host-b/12");
                    assertThat(busy.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(200));
                    assertThat(busy.attempts()).isBetween(1, 5);
                });
        assertThat(ran).isFalse();
    }

    @Test
    void withLock_manyThreads_neverRunTwoBlocksAtOnce() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable section = () -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            LockSupport.parkNanos(100_000);
            inside.decrementAndGet();
        };
        Worker<?>[] workers = new Worker<?>[4];
        for (int i = 0; i < workers.length; i++) {
            var process = i % 2 == 0 ? locks : another();
            workers[i] = Worker.start(() -> {
                for (int turn = 0; turn < 5; turn++) {
                    process.withLock(key, TTL, Duration.ofSeconds(20), Duration.ofMillis(10), section);
                }
                return true;
            });
        }
        for (Worker<?> worker : workers) {
            worker.result();
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void withLock_lostWhileTheBlockRan_throwsLost() {
        AtomicBoolean finished = new AtomicBoolean();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.withLock(key, TTL, () -> {
                    backdoor.delete(lockKey());
                    finished.set(true);
                }))
                .satisfies(lost -> {
                    assertThat(lost.key()).isEqualTo(key);
                    assertThat(lost.reason()).isEqualTo(LostReason.GONE);
                });
        assertThat(finished).as("the block is not cut short").isTrue();
    }

    @Test
    void withLock_outlivedItsTtl_throwsLostAndKeepsOffTheNextHolder() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.withLock(key, Duration.ofMillis(100), () -> {
                    eventually().until(() -> !backdoor.exists(lockKey()));
                    backdoor.set(lockKey(), "the next holder", 10_000);
                }))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LostReason.EXPIRED));
        assertThat(backdoor.get(lockKey())).isEqualTo("the next holder");
    }

    @Test
    void withLock_lostAndTheBlockThrows_theBlocksExceptionWinsAndCarriesTheLoss() {
        IllegalStateException failure = new IllegalStateException("the block's own");

        assertThatThrownBy(() -> locks.withLock(key, TTL, Duration.ZERO, (Runnable) () -> {
                    backdoor.delete(lockKey());
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).isInstanceOf(LockLostException.class);
    }

    @Test
    void withLock_insideItself_isRefusedWithoutAnOwner() {
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> locks.withLock(key, TTL, () -> locks.withLock(key, TTL, () -> {})));
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void withLock_insideItselfForOneOwner_runs() {
        var lock = locks.lock(key, options -> options.owner("request-7").ttl(TTL));

        String value = lock.withLock(() -> lock.withLock(() -> backdoor.get(lockKey())));

        assertThat(value).isNotNull();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }
}
