// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A null, or a time that makes no sense, is refused by name and before the lock is taken. */
class NullArgumentsTest {
    private static final String KEY = "order:42";
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration SOME = Duration.ofMillis(50);

    private final Holdfast locks = Holdfast.builder()
            .backend(new InMemoryBackend(MonotonicClock.SYSTEM))
            .closeWait(Duration.ZERO)
            .build();

    @AfterEach
    void nothingWasTaken() {
        assertThat(locks.inspect(KEY).isHeld()).isFalse();
        locks.close();
    }

    @Test
    void lockManager_null_isNamed() {
        assertNamed("ttl", () -> locks.tryLock(KEY, null));
        assertNamed("wait", () -> locks.tryLock(KEY, TTL, null));
        assertNamed("retryInterval", () -> locks.tryLock(KEY, TTL, SOME, null));
        assertNamed("block", () -> locks.withLock(KEY, TTL, (Runnable) null));
        assertNamed("block", () -> locks.withLock(KEY, TTL, (LockedCall<Integer, RuntimeException>) null));
        assertNamed("options", () -> locks.lock(KEY, (LockOptions) null));
        assertNamed("changes", () -> locks.lock(KEY, (Consumer<LockOptions.Builder>) null));
    }

    @Test
    void lockManager_timesThatMakeNoSense_areRefused() {
        assertRefused("ttl must be 1 ms to 24 h, was PT0S", () -> locks.tryLock(KEY, Duration.ZERO));
        assertRefused("wait must not be negative, was PT-1S", () -> locks.tryLock(KEY, TTL, Duration.ofSeconds(-1)));
        assertRefused("retryInterval must be positive, was PT0S", () -> locks.tryLock(KEY, TTL, SOME, Duration.ZERO));
    }

    @Test
    void distributedLock_null_isNamed() {
        DistributedLock lock = locks.lock(KEY);
        assertNamed("unit", () -> lock.tryLock(1, null));
        assertNamed("wait", () -> lock.acquire(null));
        assertNamed("wait", () -> lock.tryAcquire(null));
        assertNamed("block", () -> lock.withLock((Runnable) null));
        assertNamed("block", () -> lock.withLock((LockedCall<Integer, RuntimeException>) null));
    }

    @Test
    void lease_nullOrBadTime_isRefusedAndTheLeaseKept() {
        try (Lease lease = locks.tryLock(KEY, TTL).orElseThrow()) {
            assertNamed("ttl", () -> lease.renew(null));
            assertNamed("callback", () -> lease.onLost(null));
            assertNamed("time", () -> lease.releaseAfter(null));
            assertRefused("time must not be negative, was PT-1S", () -> lease.releaseAfter(Duration.ofSeconds(-1)));
            assertRefused("ttl must be 1 ms to 24 h, was PT0S", () -> lease.renew(Duration.ZERO));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lease.renew(Duration.ofSeconds(11)))
                    .withMessageContaining("asks for more than its ttl PT10S")
                    .withMessageContaining("LockOptions.maxTtl");
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void builder_null_isNamed() {
        Holdfast.Builder builder = Holdfast.builder();
        assertNamed("uri", () -> Holdfast.connect(null));
        assertNamed("uri", () -> builder.uri(null));
        assertNamed("address", () -> builder.address(null));
        assertNamed("connector", () -> builder.connector(null));
        assertNamed("backend", () -> builder.backend(null));
        assertNamed("keyPrefix", () -> builder.keyPrefix(null));
        assertNamed("lockSegment", () -> builder.lockSegment(null));
        assertNamed("defaults", () -> builder.defaults(null));
        assertNamed("listener", () -> builder.listener(null));
        assertNamed("closeWait", () -> builder.closeWait(null));
        assertNamed("clock", () -> builder.clock(null));
        assertNamed("note", () -> builder.note(null));
    }

    @Test
    void wait_endless_worksOnEveryWayIn() throws InterruptedException {
        Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
        Duration almostEver = Duration.ofNanos(Long.MAX_VALUE - 1);
        assertThat(locks.tryLock(KEY, TTL, ever).orElseThrow().release()).isTrue();
        assertThat(locks.tryLock(KEY, TTL, almostEver).orElseThrow().release()).isTrue();
        assertThat(locks.lock(KEY).acquire(ever).release()).isTrue();
        assertThat(locks.lock(KEY, o -> o.wait(ever)).acquire().release()).isTrue();
        DistributedLock lock = locks.lock(KEY);
        for (TimeUnit unit : TimeUnit.values()) {
            assertThat(lock.tryLock(Long.MAX_VALUE, unit)).isTrue();
            lock.unlock();
        }
        assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
    }

    @Test
    void closeWait_endless_closesOnceNothingIsHeld() {
        Holdfast patient = Holdfast.builder()
                .backend(new InMemoryBackend(MonotonicClock.SYSTEM))
                .closeWait(Duration.ofSeconds(Long.MAX_VALUE))
                .build();
        assertThat(patient.tryLock(KEY, TTL).orElseThrow().release()).isTrue();

        patient.close();

        assertThat(patient.toString()).contains("closed");
    }

    private static void assertNamed(String name, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(name + " must not be null");
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }
}
