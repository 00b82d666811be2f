// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.Lease;

/**
 * The right to write a row: what its column {@code fence} may hold before, and what it holds afterwards. No write lowers the column,
 * whether under a lock or without one, so a holder that was overtaken stays refused.
 *
 * @param lowest the row is refused below this
 * @param highest the row is refused above this
 * @param next what the row carries from then on
 */
record Fence(long lowest, long highest, long next) {

    /** By the lock's token; or, when Redis is down and we go on without the lock, by what was read. */
    static Fence of(Lease lease, long read) {
        return lease.isDegraded() ? version(read) : token(lease.fencingToken());
    }

    /** Passes every earlier holder, and the holder's own earlier writes. */
    static Fence token(long token) {
        return new Fence(0, token, token);
    }

    /**
     * Passes only if the row still holds what was read, so that of two who read the same one is refused. Counts up by one: tokens
     * come from a clock of microseconds, so the next holder of a lock is above whatever an outage counted.
     */
    static Fence version(long read) {
        return new Fence(read, read, read + 1);
    }
}
