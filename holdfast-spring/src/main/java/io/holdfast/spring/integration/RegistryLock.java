// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.integration;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockManager;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of a {@link HoldfastLockRegistry}: a name and options. Who holds it is known to the lock manager alone. */
final class RegistryLock implements DistributedLock {
    private final LockManager locks;
    private final String key;
    private final LockOptions options;

    RegistryLock(LockManager locks, String key, LockOptions options) {
        this.locks = locks;
        this.key = key;
        this.options = options;
    }

    /** For at most what every lock of the registry may ask for. */
    boolean renew(Duration ttl) {
        Duration most = options.maxTtl();
        Lease lease = whole().currentLease()
                .orElseThrow(() -> new IllegalStateException("this thread does not hold lock " + key));
        return lease.renew(ttl.compareTo(most) > 0 ? most : ttl);
    }

    @Override
    public void lock() {
        whole().lock();
    }

    @Override
    public void lock(Duration ttl) {
        lasting(ttl).lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        whole().lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return whole().tryLock();
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return whole().tryLock(wait, unit);
    }

    @Override
    public boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
        return lasting(ttl).tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The way of Spring Integration's own registries to say that what ran under the lock was not protected. */
    @Override
    public void unlock() {
        try {
            whole().unlock();
        } catch (LockLostException lost) {
            throw new ConcurrentModificationException(lost.getMessage(), lost);
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    private io.holdfast.DistributedLock whole() {
        return locks.lock(key, options);
    }

    private io.holdfast.DistributedLock lasting(Duration ttl) {
        return locks.lock(
                key,
                options.toBuilder()
                        .ttl(ttl)
                        .maxTtl(options.maxTtl())
                        .renew(options.renews())
                        .build());
    }

    @Override
    public String toString() {
        return "RegistryLock[" + key + "]";
    }
}
