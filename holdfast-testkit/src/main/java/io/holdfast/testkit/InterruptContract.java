// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Interrupts end a wait, or are kept for later; either way nothing is left in the store. */
@NullUnmarked
@SuppressWarnings("LockNotBeforeTry") // a test that fails closes the Holdfast, which ends its locks
public abstract class InterruptContract extends LockContract {
    private Lease holder;

    @BeforeEach
    void holdTheLock() {
        holder = another().tryLock(key, Duration.ofSeconds(30)).orElseThrow();
    }

    @AfterEach
    void clearTheFlag() {
        Thread.interrupted();
    }

    /** What a waiting thread threw, and whether its interrupt flag was set afterwards. */
    private record End(Throwable thrown, boolean flag) {}

    @Test
    void lock_interrupted_goesOnWaitingAndRestoresTheFlag() throws Exception {
        Worker<Boolean> waiter = Worker.start(() -> {
            locks.lock(key).lock();
            boolean flag = Thread.interrupted();
            locks.lock(key).unlock();
            return flag;
        });
        awaitWaiter();
        waiter.interrupt();
        pass(Duration.ofMillis(150));
        waiter.interrupt(); // a second one changes nothing either
        assertThat(waiter.isDone()).isFalse();

        holder.release();

        assertThat(waiter.result()).as("the flag, after lock()").isTrue();
        assertNothingLeft();
    }

    @Test
    void lockInterruptibly_interrupted_throwsAndLeavesNothing() throws Exception {
        End end = interrupted(() -> {
            locks.lock(key).lockInterruptibly();
            return true;
        });

        assertThat(end.thrown()).isInstanceOf(InterruptedException.class);
        assertThat(end.flag()).as("cleared, as the checked exception tells it").isFalse();
        assertNothingLeft();
    }

    @Test
    void timedTryLock_interrupted_throwsAndLeavesNothing() throws Exception {
        End end = interrupted(() -> locks.lock(key).tryLock(1, TimeUnit.MINUTES));

        assertThat(end.thrown()).isInstanceOf(InterruptedException.class);
        assertThat(end.flag()).isFalse();
        assertNothingLeft();
    }

    @Test
    void acquire_interrupted_throwsNotAcquiredWithTheFlagSet() throws Exception {
        assertNotAcquired(interrupted(() -> locks.lock(key).acquire(Duration.ofMinutes(1))));
        assertNothingLeft();
    }

    @Test
    void tryAcquire_interrupted_isNotTakenForBusy() throws Exception {
        assertNotAcquired(interrupted(() -> locks.lock(key).tryAcquire(Duration.ofMinutes(1))));
        assertNotAcquired(interrupted(() -> locks.tryLock(key, Duration.ofSeconds(10), Duration.ofMinutes(1))));
        assertNothingLeft();
    }

    @Test
    void withLock_interruptedWhileWaiting_doesNotRunTheBlock() throws Exception {
        End end = interrupted(
                () -> locks.withLock(key, Duration.ofSeconds(10), Duration.ofMinutes(1), () -> "the block ran"));

        assertNotAcquired(end);
        assertNothingLeft();
    }

    @Test
    void interruptBeforeTheCall_endsAWaitAtOnceAndNothingElse() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> locks.lock(key).lockInterruptibly()).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> locks.lock(key).tryLock(1, TimeUnit.MINUTES)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(locks.lock(key).tryLock()).as("does not wait").isFalse();
        assertThat(locks.tryLock(key, Duration.ofSeconds(10)))
                .as("does not wait")
                .isEmpty();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void heldLock_withTheFlagSet_canStillBeTakenRenewedAndReleased() {
        holder.release();
        Thread.currentThread().interrupt();

        Lease lease = locks.tryLock(key, Duration.ofSeconds(10)).orElseThrow();
        assertThat(lease.renew(Duration.ofSeconds(10))).isTrue();
        assertThat(locks.inspect(key).isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
        assertThat(Thread.interrupted()).as("kept for the caller").isTrue();
    }

    @Test
    void lockInterruptibly_free_takesTheLock() throws Exception {
        holder.release();
        locks.lock(key).lockInterruptibly();

        assertThat(locks.lock(key).isHeldByCurrentThread()).isTrue();
    }

    private End interrupted(Callable<?> wait) throws Exception {
        Worker<End> waiter = Worker.start(() -> {
            Throwable thrown = catchThrowable(wait::call);
            return new End(thrown, Thread.currentThread().isInterrupted());
        });
        awaitWaiter();
        waiter.interrupt();
        return waiter.result();
    }

    private void awaitWaiter() {
        eventually().until(() -> !locks.inspect(key).waiting().isEmpty());
    }

    private void assertNotAcquired(End end) {
        assertThat(end.thrown())
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining(key)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(end.flag()).isTrue();
    }

    private void assertNothingLeft() {
        holder.release();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
        assertThat(locks.tryLock(key, Duration.ofSeconds(10)).orElseThrow().release())
                .isTrue();
    }
}
