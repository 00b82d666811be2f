// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One grant of a lock, owned by its token: any thread may use and release it. Thread-safe.
 *
 * <p>{@link #isHeld()} is true only as long as nobody else can have the lock, counted on this process's monotonic clock
 * from before the command was sent. When that can't be proven any more the lease is <em>lost</em>: {@code isHeld()} turns
 * false first, then {@link #onLost} fires, before the TTL ends. A lost lease never comes back.
 *
 * <pre>{@code
 * try (Lease lease = locks.lock("order:42").acquire()) {
 *     lease.onLost(reason -> job.cancel());
 *     lease.ensureHeld();
 *     store.save(order, lease.fencingToken());
 * }
 * }</pre>
 */
public interface Lease extends AutoCloseable {

    /** The business key. */
    String key();

    /**
     * The value in Redis while this lease lives; of an owner's several leases that of one of them. A secret of sorts: who
     * knows it can release the lock.
     */
    String token();

    /**
     * Unique; rises with every grant by Redis, also across restarts, and with every turn that threads of one process take on a
     * grant in memory. Send it along with every write and let the store refuse a lower one: after somebody removed the key another
     * process may have a higher one before this one is told.
     *
     * @throws IllegalStateException when fencing is off, or the lease is degraded
     */
    long fencingToken();

    /** How long {@link #isHeld()} stays true without a renewal; zero when it is false. */
    Duration remaining();

    /** Whether the lock is certainly this lease's. No I/O. */
    boolean isHeld();

    /** Throws {@link LockLostException} unless {@link #isHeld()}. No I/O. */
    void ensureHeld();

    /** Why this lease was lost, if it was. */
    Optional<LostReason> lostReason();

    /** Whether this lease excludes nobody outside this process, because Redis was down and the options allowed it. */
    boolean isDegraded();

    /**
     * Extends the lease from now. A shorter time than remains only shortens what {@link #isHeld()} promises, never the
     * key's life.
     *
     * @param ttl at most the TTL of the options, or their {@code maxTtl}
     * @return false when the lease is lost or released
     * @throws LockBackendException when Redis could not be asked; the lease stays as it was
     */
    boolean renew(Duration ttl);

    /**
     * Calls back once when the lease is lost, on a thread of its own; at once when it already is. Never after a release.
     *
     * @return this lease
     */
    Lease onLost(Consumer<LostReason> callback);

    /**
     * Gives the lock back. Safe to call again; ignores interrupts while it talks to Redis.
     *
     * @return false when the lease had been lost, or was released before
     * @throws LockBackendException when Redis could not be told; clean-up goes on in the background
     */
    boolean release();

    /**
     * Gives the lock up and leaves it taken for that long, counted from now, though no longer than its TTL: for work that is
     * not to be done again too soon. {@link #isHeld()} is false at once; the lock then ends in Redis by itself, also when this
     * process is gone by then.
     *
     * @return false when the lease had been lost, or was released before
     * @throws IllegalStateException when the lock has an owner, who may have other holds
     * @throws LockBackendException when Redis could not be told; the lock then ends with its TTL
     */
    boolean releaseAfter(Duration time);

    /** {@link #release()} without blocking. */
    CompletableFuture<Boolean> releaseAsync();

    /** {@link #release()}, its answer ignored. */
    @Override
    default void close() {
        release();
    }
}
