// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Defects seen in other lock libraries, by their numbers in our list of twelve: 3, 4, 7, 8 and 9 here, the slow ones in
 * {@link SlowPeerDefectsContract}. Those of Cluster (2), multi-lock (5), read-write lock (6) and replica quorum (12) come
 * with those features.
 */
@SuppressWarnings("LockNotBeforeTry") // what is held after a failed assertion ends with the test
public abstract class PeerDefectsContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void defect3_keyOfAnotherTypeInARenewalBatch_harmsNoOtherLock() {
        List<Lease> healthy = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            healthy.add(kept(key + ":" + i));
        }
        Lease poisoned = kept(key + ":poisoned");
        try (Monitor monitor = monitor()) {
            raw().call("DEL", lockKey() + ":poisoned");
            raw().call("HSET", lockKey() + ":poisoned", "thread", "1");
            await().until(() -> poisoned.lostReason().isPresent());
            assertThat(poisoned.lostReason()).contains(LostReason.GONE);
            assertThat(monitor.lines())
                    .as("one command renewed the bad one and others")
                    .anyMatch(line -> Verbs.of(line).equals("renew")
                            && line.contains(key + ":poisoned")
                            && line.split(key, -1).length > 2);
        }
        long half = TTL.toMillis() / 2;
        for (int i = 0; i < 20; i++) {
            raw().call("PEXPIRE", lockKey() + ":" + i, Long.toString(half));
        }
        for (int i = 0; i < 20; i++) {
            String name = lockKey() + ":" + i;
            await().until(() -> backdoor.pttl(name) > half); // renewed again, long after the bad one
            assertThat(healthy.get(i).isHeld()).isTrue();
        }
    }

    private Lease kept(String name) {
        return locks.lock(name, options -> options.ttl(TTL).renew(true).renewEvery(ms(300)))
                .acquire();
    }

    @Test
    void defect4_fencedLock_respectsItsTtlAndDoesNotBlock() {
        locks.tryLock(key, Duration.ofSeconds(5)).orElseThrow().onLost(reason -> {});
        assertThat(backdoor.pttl(lockKey())).as("the lease argument counts").isBetween(1L, 5_000L);

        backdoor.set(lockKey(), "held for long", 600_000);
        long before = System.nanoTime();
        assertThat(locks.tryLock(key, TTL)).isEmpty();
        assertThat(locks.lock(key).tryLock()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void defect4_fencingToken_isTheSameOnReentryAndNeverTheSuccessors() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        long token = lock.currentLease().orElseThrow().fencingToken();
        lock.lock();
        assertThat(lock.currentLease().orElseThrow().fencingToken()).isEqualTo(token);
        Lease stale = lock.currentLease().orElseThrow();

        backdoor.delete(lockKey());
        long successor = another().tryLock(key, TTL).orElseThrow().fencingToken();
        assertThat(stale.fencingToken()).isEqualTo(token).isLessThan(successor);
        lock.release();
        lock.release();
    }

    @Test
    void defect4_fencing_leavesNoKeyPerLock() {
        locks.withLock(key, TTL, () -> {});
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void defect7_lock_remembersInterruptsAndGoesOnWaiting() throws InterruptedException {
        Lease holder = locks.tryLock(key, TTL).orElseThrow();
        AtomicReference<String> outcome = new AtomicReference<>("");
        Thread waiter = new Thread(() -> {
            DistributedLock lock = locks.lock(key);
            lock.lock();
            outcome.set("locked, interrupted " + Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        waiter.start();
        await().until(() -> locks.inspect(key).waiting().size() == 1);
        waiter.interrupt();
        elapse(ms(100));
        waiter.interrupt();
        elapse(ms(100));
        assertThat(outcome.get()).as("two interrupts, still waiting").isEmpty();

        holder.release();
        waiter.join(20_000);
        assertThat(outcome.get()).isEqualTo("locked, interrupted true");
    }

    @Test
    void defect7_lockInterruptibly_endsWithTheInterruptAndLeavesNothing() throws InterruptedException {
        Lease holder = locks.tryLock(key, TTL).orElseThrow();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                locks.lock(key).lockInterruptibly();
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
            ended.countDown();
        });
        waiter.start();
        await().until(() -> locks.inspect(key).waiting().size() == 1);
        waiter.interrupt();
        ended.await();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        holder.release();
        await().until(() -> backdoor.keysContaining(key).isEmpty());
    }

    @Test
    void defect8_acquireWithoutAReply_doesNotStayTaken() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).loseReply();
        assertThatThrownBy(() -> behind(network).tryLock(key, TTL)).isInstanceOf(LockBackendException.class);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> locks.tryLock(key, TTL).isPresent());
    }

    @Test
    void defect9_unlockOfALostLock_neverSucceedsSilently() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        backdoor.delete(lockKey());
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        lock.lock();
        backdoor.set(lockKey(), "another's", 60_000);
        assertThat(lock.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo("another's");
    }
}
