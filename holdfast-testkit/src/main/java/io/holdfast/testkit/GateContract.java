// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Interrupts, deadlines and cancellations of those who wait behind another thread of their own process. */
@NullUnmarked
@SuppressWarnings("LockNotBeforeTry") // a test that fails closes the Holdfast, which ends its locks
public abstract class GateContract extends WaitingContract {
    private static final Duration SOON = Duration.ofSeconds(10);

    private Holdfast process;
    private DistributedLock lock;
    private Lease holder;

    @BeforeEach
    void holdTheLock() {
        process = listener();
        lock = process.lock(key);
        holder = lock.acquire(SOON);
    }

    private <T> Worker<T> waiter(Callable<T> wait) {
        int before = haveWaited(process);
        Worker<T> worker = Worker.start(wait);
        await().until(() -> haveWaited(process) > before);
        return worker;
    }

    private void assertTheNextGetsIt() {
        CompletableFuture<Lease> next = lineUp(process, options -> {});
        assertThat(queued()).isEmpty();
        assertThat(holder.release()).isTrue();
        assertThat(granted(next).release()).isTrue();
        assertNothingLeft();
        assertThat(process.waitingAcquires()).isZero();
    }

    @Test
    void lock_interrupted_goesOnWaitingAndRestoresTheFlag() throws Exception {
        Worker<Boolean> waiter = waiter(() -> {
            lock.lock();
            boolean flag = Thread.interrupted();
            lock.unlock();
            return flag;
        });
        waiter.interrupt();
        elapse(ms(50));
        waiter.interrupt();
        assertThat(waiter.isDone()).isFalse();

        holder.release();

        assertThat(waiter.result()).as("the flag, after lock()").isTrue();
        assertNothingLeft();
    }

    @Test
    void lockInterruptibly_interrupted_throwsAndLeavesTheLine() throws Exception {
        Worker<Throwable> waiter = waiter(() -> catchThrowable(lock::lockInterruptibly));

        waiter.interrupt();

        assertThat(waiter.result()).isInstanceOf(InterruptedException.class);
        assertTheNextGetsIt();
    }

    @Test
    void timedTryLock_interruptedOrOutOfTime_leavesTheLine() throws Exception {
        Worker<Throwable> interrupted = waiter(() -> catchThrowable(() -> lock.tryLock(1, TimeUnit.MINUTES)));
        Worker<Boolean> outOfTime = waiter(() -> lock.tryLock(150, TimeUnit.MILLISECONDS));

        interrupted.interrupt();

        assertThat(interrupted.result()).isInstanceOf(InterruptedException.class);
        assertThat(outOfTime.result()).isFalse();
        assertTheNextGetsIt();
    }

    @Test
    void acquireAsync_cancelled_leavesTheLine() {
        CompletableFuture<Lease> first = lineUp(process, options -> {});
        CompletableFuture<Lease> second = lineUp(process, options -> {});
        CompletableFuture<Lease> third = lineUp(process, options -> {});

        second.cancel(true);
        first.cancel(true);

        holder.release();
        assertThat(granted(third).release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void deadline_isOneFromTheStart_alsoForOneThatHasToAskRedisLater() {
        backdoor.delete(lockKey());
        Lease other = hold(locks);
        long start = System.nanoTime();
        CompletableFuture<Lease> waiter = lineUp(process, options -> options.wait(ms(600)));
        elapse(ms(200));
        assertThat(holder.renew(TTL)).as("lost, so the waiter asks for itself").isFalse();

        await().until(waiter::isDone);

        assertThat(waiter).isCompletedExceptionally();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(ms(600), Duration.ofSeconds(5));
        assertThat(backdoor.get(lockKey())).isEqualTo(other.token());
        await().until(() -> queued().isEmpty());
    }
}
