// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What applications inject: every way to take a lock by its business key. Thread-safe.
 *
 * <pre>{@code
 * locks.withLock("order:42", Duration.ofSeconds(10), () -> pay(42));
 *
 * try (Lease lease = locks.lock("report:daily").acquire()) {   // 30 s, renewed while held
 *     write(report, lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>Three answers are never mixed: somebody else has the lock (an empty result or {@link LockNotAcquiredException}), the
 * lock was lost while held ({@link LockLostException}), Redis could not be asked ({@link LockBackendException}).
 *
 * <p>A TTL given here is a fixed lease: it is not renewed. Locks from {@link #lock(String)} have 30 s and are renewed.
 */
public interface LockManager {

    /** How often the methods with a TTL try again while they wait, unless told otherwise. */
    Duration DEFAULT_RETRY_INTERVAL = Duration.ofMillis(50);

    /**
     * Tries once; never waits for another holder. Not re-entrant: a second call in the same thread is refused while the
     * first lease is held.
     */
    default Optional<Lease> tryLock(String key, Duration ttl) {
        return tryLock(key, ttl, Duration.ZERO);
    }

    /** Like {@link #tryLock(String, Duration, Duration, Duration)} with {@link #DEFAULT_RETRY_INTERVAL}. */
    default Optional<Lease> tryLock(String key, Duration ttl, Duration wait) {
        return tryLock(key, ttl, wait, DEFAULT_RETRY_INTERVAL);
    }

    /**
     * Tries until the lock is free or {@code wait} has passed. Blocks at most {@code wait} and one command.
     *
     * @param key business key, e.g. {@code order:42}; the key in Redis is {@code holdfast:lock:order:42}
     * @param ttl after this the lock is free again whatever happens to the holder; 1 ms to 24 h
     * @param wait how long to wait for another holder; {@link Duration#ZERO} not at all
     * @param retryInterval shortest pause between two tries
     * @throws LockBackendException when Redis could not be asked
     * @throws LockNotAcquiredException only when the thread was interrupted (then its cause is the
     *     {@link InterruptedException}, and the thread's flag is set)
     */
    Optional<Lease> tryLock(String key, Duration ttl, Duration wait, Duration retryInterval);

    /** Runs a block under the lock, without waiting for another holder. */
    default void withLock(String key, Duration ttl, Runnable block) {
        withLock(key, ttl, Duration.ZERO, block);
    }

    /** Runs a block under the lock, waiting for it at most {@code wait}. */
    default void withLock(String key, Duration ttl, Duration wait, Runnable block) {
        withLock(key, ttl, wait, DEFAULT_RETRY_INTERVAL, block);
    }

    /**
     * Runs a block under the lock.
     *
     * @throws LockNotAcquiredException when somebody else kept the lock
     * @throws LockLostException when the lock was lost before the block ended; the block did run
     * @throws LockBackendException when Redis could not be asked
     */
    void withLock(String key, Duration ttl, Duration wait, Duration retryInterval, Runnable block);

    /** Runs a block under the lock and gives its result, without waiting for another holder. */
    default <T, X extends Exception> T withLock(String key, Duration ttl, LockedCall<T, X> block) throws X {
        return withLock(key, ttl, Duration.ZERO, block);
    }

    /** Runs a block under the lock and gives its result, waiting for the lock at most {@code wait}. */
    default <T, X extends Exception> T withLock(String key, Duration ttl, Duration wait, LockedCall<T, X> block)
            throws X {
        return withLock(key, ttl, wait, DEFAULT_RETRY_INTERVAL, block);
    }

    /** Like {@link #withLock(String, Duration, Duration, Duration, Runnable)}, with a result. */
    <T, X extends Exception> T withLock(
            String key, Duration ttl, Duration wait, Duration retryInterval, LockedCall<T, X> block) throws X;

    /** The lock of that name with this manager's default options: 30 s, renewed. Cheap; nothing is sent. */
    DistributedLock lock(String key);

    /** The lock of that name with options of its own. */
    DistributedLock lock(String key, LockOptions options);

    /** The lock of that name with this manager's default options, changed: {@code lock(key, o -> o.owner(id))}. */
    DistributedLock lock(String key, Consumer<LockOptions.Builder> changes);

    /**
     * Who holds the lock, since when, how long it still lives and who waits. One round trip; changes nothing.
     *
     * @throws LockBackendException when Redis could not be asked
     */
    LockInfo inspect(String key);
}
