// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What must be the same for a lease to pass from one thread of a process to the next.
 *
 * @param ttl how long a lease is valid
 * @param tolerance how much longer the key lives
 * @param maxTtl the longest time a renewal by hand may ask for
 * @param renewEvery time from one renewal to the next; null for a fixed lease
 * @param fencing whether each grant carries a fencing token
 * @param retention how long the process keeps it unused
 */
record LeaseTerms(
        Duration ttl,
        Duration tolerance,
        Duration maxTtl,
        @Nullable Duration renewEvery,
        boolean fencing,
        Duration retention) {

    /** How long {@link Lease#isHeld} stops before the key can be gone: clocks drift, and messages take time. */
    static Duration margin(Duration ttl) {
        long nanos = ttl.toNanos(); // at most a day; Duration.dividedBy would go through BigDecimal, on every grant
        return Duration.ofNanos(Math.min(nanos / 100 + 2_000_000, nanos / 10));
    }

    /** How long a lease of that TTL is to be believed in, from before its command was sent. */
    static long validNanos(Duration ttl) {
        return ttl.minus(margin(ttl)).toNanos();
    }

    /** Rounded up: a key that ends a fraction of a millisecond early could end before its holder's own clock says so. */
    long keyLifeMillis(Duration leaseTtl) {
        return leaseTtl.plus(tolerance).plusNanos(999_999).toMillis();
    }
}
