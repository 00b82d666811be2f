// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock's name bound to options. Thread-safe; make one per use or keep it, both are fine. It has two faces:
 *
 * <ul>
 *   <li><b>owned by the thread</b>, as {@link Lock} dictates: {@link #lock()} … {@link #unlock()}, re-entrant per thread
 *       with a count in memory (a re-entry sends nothing), also between two objects of the same name;
 *   <li><b>owned by a token</b>: {@link #acquire()} gives a {@link Lease} that any thread may release, not re-entrant
 *       unless the options name an owner.
 * </ul>
 *
 * <pre>{@code
 * DistributedLock lock = locks.lock("inventory:sku001");
 * if (lock.tryLock(5, TimeUnit.SECONDS)) {
 *     try {
 *         deduct();
 *     } finally {
 *         lock.unlock();
 *     }
 * }
 * }</pre>
 */
public interface DistributedLock extends Lock {

    /** The business key. */
    String name();

    /** The options this lock was made with. */
    LockOptions options();

    /**
     * Waits as long as it takes; an interrupt is remembered, not obeyed.
     *
     * @throws LockBackendException when Redis could not be asked for 10 s on end
     */
    @Override
    void lock();

    /** Waits as long as it takes, unless interrupted: then nothing is held and nothing is left in Redis. */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** Tries once. */
    @Override
    boolean tryLock();

    /** Tries for that long; obeys an interrupt. */
    @Override
    boolean tryLock(long wait, TimeUnit unit) throws InterruptedException;

    /**
     * Gives back one {@code lock()} of this thread; the last one frees the lock.
     *
     * @throws IllegalMonitorStateException when this thread does not hold it
     * @throws LockLostException when the lock had been lost: what ran since then ran unprotected
     * @throws LockBackendException when Redis could not be told; the lock is free at the latest when its TTL ends
     */
    @Override
    void unlock();

    /** Like {@link #unlock()}, but says false when this thread does not hold the lock, or no longer. */
    boolean release();

    /** Whether this thread holds the lock and it is still valid. No I/O. */
    boolean isHeldByCurrentThread();

    /** How many times this thread has locked it and not yet unlocked. */
    int holdCount();

    /** The lease behind this thread's hold, for its fencing token or {@link Lease#onLost}. Do not release it. */
    Optional<Lease> currentLease();

    /** Not offered: a condition needs a server-side queue of its own. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    /**
     * Takes the lock, waiting and trying as the options say (without any limit set: one try).
     *
     * @throws LockNotAcquiredException when somebody else kept it, or this thread was interrupted
     * @throws LockBackendException when Redis could not be asked
     */
    Lease acquire();

    /** Like {@link #acquire()}, waiting at most that long. */
    Lease acquire(Duration wait);

    /** Like {@link #acquire()}, but empty when somebody else kept it. */
    Optional<Lease> tryAcquire();

    /** Like {@link #tryAcquire()}, waiting at most that long. */
    Optional<Lease> tryAcquire(Duration wait);

    /**
     * {@link #acquire()} without blocking. Fails with the same exceptions; cancelling it leaves nothing in Redis.
     */
    CompletableFuture<Lease> acquireAsync();

    /** {@link #tryAcquire()} without blocking. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /** {@link #acquire()}, the block, release: see {@link LockManager#withLock}. */
    void withLock(Runnable block);

    /** {@link #acquire()}, the block, release, with a result. */
    <T, X extends Exception> T withLock(LockedCall<T, X> block) throws X;
}
