// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The lock as a {@link java.util.concurrent.locks.Lock}: owned by the thread, counted in memory. */
@SuppressWarnings("LockNotBeforeTry") // a test that fails closes the Holdfast, which ends its locks
public abstract class ThreadLockContract extends LockContract {

    @Test
    void tryLock_free_isHeldByThisThread() {
        DistributedLock lock = locks.lock(key);
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        assertThat(lock.tryLock()).isTrue();

        assertThat(lock.name()).isEqualTo(key);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.currentLease().orElseThrow().token()).isEqualTo(backdoor.get(lockKey()));
    }

    @Test
    void unlock_last_freesTheLock() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        lock.unlock();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.currentLease()).isEmpty();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void lease_byDefault_is30Seconds() {
        locks.lock(key).lock();

        assertThat(backdoor.pttl(lockKey())).isBetween(20_000L, 30_000L);
        assertThat(locks.lock(key).options().ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(locks.lock(key).options().renews()).isTrue();
        assertThat(locks.lock(key).options().renewInterval())
                .isBetween(Duration.ofMillis(9_999), Duration.ofSeconds(10));
        assertThat(locks.lock(key).options().retryInterval()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void lock_again_countsInMemory() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(3);

        lock.unlock();
        assertThat(lock.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).as("one hold remains").isTrue();
        assertThat(lock.isHeldByCurrentThread()).isTrue();

        lock.unlock();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void lock_againThroughAnotherObjectOfTheSameName_reenters() throws Exception {
        locks.lock(key).lock();
        DistributedLock same = locks.lock(key);

        assertThat(same.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(same.holdCount()).isEqualTo(2);
        same.unlock();
        locks.lock(key).unlock();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void tryLock_byAnotherThread_isRefused() throws Exception {
        DistributedLock lock = locks.lock(key);
        lock.lock();

        assertThat(Worker.start(lock::tryLock).result()).isFalse();
        assertThat(Worker.start(() -> lock.tryLock(150, TimeUnit.MILLISECONDS)).result())
                .isFalse();
        assertThat(Worker.start(lock::isHeldByCurrentThread).result()).isFalse();
        assertThat(Worker.start(lock::holdCount).result()).isZero();
    }

    @Test
    void tryLock_byAnotherProcess_isRefused() throws Exception {
        locks.lock(key).lock();

        Holdfast other = ready(another());
        assertThat(other.lock(key).tryLock()).isFalse();
        assertThat(other.lock(key).tryLock(150, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void tryLock_waiting_getsTheLockWhenItIsUnlocked() throws Exception {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        Worker<Boolean> waiter = Worker.start(() -> lock.tryLock(15, TimeUnit.SECONDS) && lock.release());
        eventually().until(() -> locks.waitingAcquires() == 1);

        lock.unlock();

        assertThat(waiter.result()).isTrue();
    }

    @Test
    void unlock_byAnotherThread_isRefusedAndTheLockStays() {
        DistributedLock lock = locks.lock(key);
        lock.lock();

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> Worker.start(() -> {
                            lock.unlock();
                            return true;
                        })
                        .result())
                .withMessageContaining(key);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(backdoor.exists(lockKey())).isTrue();
    }

    @Test
    void unlock_neverLocked_isRefusedAndReleaseSaysFalse() {
        DistributedLock lock = locks.lock(key);

        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.release()).isFalse();
    }

    @Test
    void unlock_ofALostLock_throwsLostAndLeavesTheNextHolder() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        backdoor.set(lockKey(), "the next holder", 10_000);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LostReason.GONE));
        assertThat(lock.holdCount()).isZero();
        assertThat(backdoor.get(lockKey())).isEqualTo("the next holder");
    }

    @Test
    void release_ofALostLock_isFalse() {
        DistributedLock lock = locks.lock(key, options -> options.ttl(Duration.ofMillis(100)));
        lock.lock();
        awaitLoss(lock);

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).as("it must still be unlocked").isEqualTo(1);
        assertThat(lock.release()).isFalse();
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void lock_againAfterALoss_throwsLostInsteadOfHidingIt() throws Exception {
        DistributedLock lock = locks.lock(key, options -> options.ttl(Duration.ofMillis(100)));
        lock.lock();
        awaitLoss(lock);

        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
        assertThat(lock.release()).isFalse();
        assertThat(lock.tryLock(10, TimeUnit.SECONDS)).as("a new start").isTrue();
    }

    @Test
    void ownTtl_isFixedUnlessRenewalIsAskedFor() {
        Duration ttl = Duration.ofSeconds(10);

        assertThat(locks.lock(key, options -> options.ttl(ttl)).options().renews())
                .isFalse();
        assertThat(locks.lock(key, options -> options.ttl(ttl).renew(true))
                        .options()
                        .renews())
                .isTrue();
        DistributedLock lock = locks.lock(key, options -> options.ttl(ttl));
        lock.lock();
        assertThat(backdoor.pttl(lockKey())).isBetween(1_000L, 10_000L);
    }

    @Test
    void lock_ofAThread_andLease_ofAToken_excludeEachOther() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        assertThat(lock.tryAcquire()).as("the thread's hold is no owner id").isEmpty();
        lock.unlock();

        try (Lease lease = lock.acquire()) {
            assertThat(lock.tryLock()).isFalse();
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(lock.tryLock()).isTrue();
    }

    /** Conditions are looked at by another thread, so ask the lease. */
    private static void awaitLoss(DistributedLock lock) {
        Lease lease = lock.currentLease().orElseThrow();
        eventually().until(() -> !lease.isHeld());
    }

    @Test
    void newCondition_isNotOffered() {
        assertThatThrownBy(() -> locks.lock(key).newCondition()).isInstanceOf(UnsupportedOperationException.class);
    }
}
