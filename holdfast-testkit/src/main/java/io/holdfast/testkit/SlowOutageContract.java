// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Acquires given up while the server hung: none of them may take the lock later, whenever its command arrives. */
public abstract class SlowOutageContract extends ServerContract {
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void cancel_whileTheServerHangs_leavesNothingOnceItGoesOn() {
        CompletableFuture<Lease> future = hang().acquireAsync();
        pass(Duration.ofMillis(100)); // on its way
        future.cancel(true);
        pass(Duration.ofMillis(900)); // longer than the command timeout: nobody listens for the answer any more

        assertNothingTaken();
    }

    @Test
    void orTimeout_whileTheServerHangs_leavesNothingOnceItGoesOn() {
        CompletableFuture<Lease> future = hang().acquireAsync().orTimeout(150, TimeUnit.MILLISECONDS);

        assertThatThrownBy(() -> future.get(10, TimeUnit.SECONDS)).isNotNull();
        pass(Duration.ofMillis(700));
        assertNothingTaken();
    }

    @Test
    void interrupt_whileTheServerHangs_leavesNothingOnceItGoesOn() throws Exception {
        DistributedLock lock = hang();
        Worker<Throwable> waiter = Worker.start(() -> catchThrowable(lock::lockInterruptibly));
        pass(Duration.ofMillis(100));
        waiter.interrupt();

        assertThat(waiter.result()).isInstanceOf(InterruptedException.class);
        pass(Duration.ofMillis(700));
        assertNothingTaken();
    }

    @Test
    void manyWaits_overWhileTheServerHangs_leaveNothingOnceItGoesOn() throws Exception {
        DistributedLock lock = hang();
        List<Worker<Throwable>> waiters = new ArrayList<>();
        for (int i = 0; i < 24; i++) { // more than a blocking client has threads for: some tries wait for one
            waiters.add(Worker.start(() -> catchThrowable(() -> lock.acquire(Duration.ofMillis(200)))));
        }
        for (Worker<Throwable> waiter : waiters) {
            assertThat(waiter.result()).isInstanceOf(LockBackendException.class);
        }
        pass(Duration.ofMillis(1_500));
        assertNothingTaken();
    }

    @Test
    void close_whileTheServerHangs_returnsAndFailsTheWaiters() {
        Holdfast closing = open(redis().holdfast(redis().address().withTimeout(Duration.ofMillis(300)))
                .closeWait(Duration.ofMillis(300)));
        ready(closing);
        redis().server().pause();
        Worker<Throwable> waiter =
                Worker.start(() -> catchThrowable(() -> closing.lock(key).lock()));
        pass(Duration.ofMillis(100));
        long start = System.nanoTime();

        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        eventually().until(waiter::isDone);
    }

    /** A lock of a process with a short command timeout, connected to a server that does not answer any more. */
    private DistributedLock hang() {
        Holdfast process = impatient(Duration.ofMillis(300));
        eventually() // the first connection of a JVM on a busy machine may take longer than that
                .ignoreExceptions()
                .until(() -> process.tryLock(key, TTL).orElseThrow().release());
        for (int i = 0; i < 10; i++) {
            process.tryLock(key, TTL).orElseThrow().release();
        }
        redis().server().pause();
        return process.lock(key, options -> options.ttl(TTL).wait(Duration.ofMinutes(1)));
    }

    /** A late copy may take the lock for a moment; what it may not is keep it. */
    private void assertNothingTaken() {
        redis().server().resume();
        pass(Duration.ofMillis(300));
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
        pass(Duration.ofMillis(300));
        assertThat(backdoor.keysContaining(key)).isEmpty();
        assertThat(another().tryLock(key, TTL).orElseThrow().release()).isTrue();
    }
}
