// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * A value in memory that refuses stale writers, for state that one process keeps and holders of a lock in any process change
 * through it: a write carries the fencing token of its writer's lease, and one with a lower token than the last is refused,
 * whatever paused or was delayed on its way. Thread-safe, without I/O. The value ends with the process, and with it what is
 * known of tokens: what must outlive that belongs in {@link FencedSql} or {@link FencedStore}.
 *
 * <pre>{@code
 * FencedValue<String> status = new FencedValue<>("NEW");
 * boolean accepted = status.set("PAID", lease.fencingToken());
 * }</pre>
 *
 * @param <T> best immutable: what is changed inside a value is not fenced
 */
public final class FencedValue<T extends @Nullable Object> {
    // Guarded by this: a token compared and a value written apart would let an older write in between.
    private T value;
    private long highest;

    /** With a value that every holder may replace: tokens are positive. */
    public FencedValue(T initial) {
        this.value = initial;
    }

    /**
     * Writes unless a higher token has written before; an equal one is the same holder's and passes.
     *
     * @return false when the write was stale and nothing changed
     */
    public synchronized boolean set(T value, long fencingToken) {
        if (fencingToken < highest) {
            return false;
        }
        highest = fencingToken;
        this.value = value;
        return true;
    }

    /** The last value accepted, or the initial one. */
    public synchronized T get() {
        return value;
    }
}
