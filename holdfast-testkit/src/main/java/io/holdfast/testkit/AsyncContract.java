// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Taking and giving back a lock without blocking, and changing one's mind meanwhile. */
public abstract class AsyncContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void acquireAsync_free_givesALease() throws Exception {
        Lease lease = result(locks.lock(key).acquireAsync());

        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(result(lease.releaseAsync())).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(backdoor.keysContaining(key)).isEmpty();
        assertThat(result(lease.releaseAsync())).as("a second release").isFalse();
    }

    @Test
    void acquireAsync_held_failsWithNotAcquired() {
        assertThat(another().tryLock(key, TTL)).isPresent();

        assertThatThrownBy(() -> result(locks.lock(key).acquireAsync()))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void acquireAsync_waiting_getsTheLockWhenItIsReleased() throws Exception {
        Lease first = another().tryLock(key, TTL).orElseThrow();
        CompletableFuture<Lease> second = patient().acquireAsync();
        awaitWaiters(1);

        first.release();

        assertThat(result(second).isHeld()).isTrue();
    }

    @Test
    void tryAcquireAsync_held_isEmpty() throws Exception {
        Lease first = result(locks.lock(key).tryAcquireAsync()).orElseThrow();

        assertThat(result(another().lock(key).tryAcquireAsync())).isEmpty();
        assertThat(first.release()).isTrue();
    }

    @Test
    void tryAcquireAsync_waitingTooLong_isEmpty() throws Exception {
        assertThat(another().tryLock(key, TTL)).isPresent();

        assertThat(result(ready(locks)
                        .lock(key, options -> options.wait(Duration.ofMillis(150)))
                        .tryAcquireAsync()))
                .isEmpty();
    }

    @Test
    void releaseAsync_ofALostLease_isFalseAndLeavesTheNextHolder() throws Exception {
        Lease lease = result(locks.lock(key).acquireAsync());
        backdoor.set(lockKey(), "the next holder", 10_000);

        assertThat(result(lease.releaseAsync())).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo("the next holder");
    }

    @Test
    void cancel_whileWaiting_leavesTheQueueAndNeverTakesTheLock() {
        Lease first = another().tryLock(key, TTL).orElseThrow();
        CompletableFuture<Lease> second = patient().acquireAsync();
        awaitWaiters(1);

        assertThat(second.cancel(true)).isTrue();

        awaitWaiters(0);
        first.release();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
        assertThatThrownBy(second::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void cancel_ofATry_leavesTheQueue() {
        Lease first = another().tryLock(key, TTL).orElseThrow();
        CompletableFuture<Optional<Lease>> second = patient().tryAcquireAsync();
        awaitWaiters(1);

        second.cancel(true);

        awaitWaiters(0);
        first.release();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
    }

    @Test
    void orTimeout_leavesTheQueue() {
        Lease first = another().tryLock(key, TTL).orElseThrow();
        CompletableFuture<Lease> second = patient().acquireAsync().orTimeout(200, TimeUnit.MILLISECONDS);

        assertThatThrownBy(() -> result(second)).cause().isInstanceOf(TimeoutException.class);

        awaitWaiters(0);
        first.release();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
    }

    @Test
    void cancel_atAnyMoment_leavesNothing() {
        for (int i = 0; i < 40; i++) {
            CompletableFuture<Lease> future = patient().acquireAsync();
            LockSupport.parkNanos(i * 20_000L); // some are cancelled before they are sent, some under way, some after
            if (!future.cancel(true)) { // too late: this one has a lease
                future.join().release();
            }
        }

        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).isEmpty());
        assertThat(locks.heldLeases()).isZero();
    }

    @Test
    void acquireAsync_manyAtOnce_areGrantedOneByOne() throws Exception {
        List<CompletableFuture<Lease>> futures = new ArrayList<>();
        List<Long> fences = new ArrayList<>();
        DistributedLock lock =
                locks.lock(key, options -> options.wait(Duration.ofSeconds(20)).retryInterval(Duration.ofMillis(10)));
        for (int i = 0; i < 5; i++) {
            futures.add(lock.acquireAsync());
        }
        while (!futures.isEmpty()) {
            result(CompletableFuture.anyOf(futures.toArray(CompletableFuture<?>[]::new)));
            List<CompletableFuture<Lease>> granted =
                    futures.stream().filter(CompletableFuture::isDone).toList();
            assertThat(granted).hasSize(1);
            Lease lease = result(granted.get(0));
            fences.add(lease.fencingToken());
            futures.removeIf(CompletableFuture::isDone);
            lease.release();
        }
        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void followUpsThatBlock_holdUpNoOtherFuture() throws Exception {
        int blocking = 2 * Runtime.getRuntime().availableProcessors() + 2;
        CountDownLatch blocked = new CountDownLatch(blocking);
        CountDownLatch goOn = new CountDownLatch(1);
        for (int i = 0; i < blocking; i++) {
            Lease held = locks.lock(key + i).acquire();
            var unused = locks.lock(key + i, options -> options.wait(Duration.ofMinutes(1)))
                    .acquireAsync()
                    .thenAccept(lease -> {
                        blocked.countDown();
                        awaitQuietly(goOn);
                        lease.release();
                    });
            held.release(); // not before: a follow-up of a future that is complete runs, and would block, right here
        }

        try {
            assertThat(blocked.await(20, TimeUnit.SECONDS)).as("all are told").isTrue();
            Lease lease = result(locks.lock(key).acquireAsync());
            assertThat(result(lease.releaseAsync())).isTrue();
        } finally {
            goOn.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private DistributedLock patient() {
        return locks.lock(key, options -> options.wait(Duration.ofMinutes(1)));
    }

    private void awaitWaiters(int number) {
        eventually().until(() -> locks.waitingAcquires() == number);
    }

    private static <T> T result(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }
}
