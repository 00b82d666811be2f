// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** When which lease said that it was held, on one monotonic clock, to be checked for overlaps. Thread-safe. */
final class Claims {
    private static final long POLL_NANOS = 500_000;

    // Guarded by this.
    private final List<Claim> all = new ArrayList<>();

    /** From after the first time it said so to before the last: what it claimed for certain, and no more. */
    record Claim(long from, long until, long fencingToken) {}

    /** Asks a lease again and again until it says no or the work is done; whether it was held to the end. */
    boolean watch(Lease lease, long workNanos) {
        if (!lease.isHeld()) {
            return false;
        }
        long from = System.nanoTime();
        long until = from;
        boolean held = true;
        while (held && until - from < workNanos) {
            LockSupport.parkNanos(POLL_NANOS); // leaves the processor to others
            long asked = System.nanoTime();
            held = lease.isHeld();
            until = held ? asked : until;
        }
        add(new Claim(from, Math.max(from, until), lease.fencingToken()));
        return held;
    }

    private synchronized void add(Claim claim) {
        all.add(claim);
    }

    /** No two at once, and the later one has the higher token. */
    synchronized void assertOneAfterTheOther() {
        all.sort(Comparator.comparingLong(claim -> claim.from));
        for (int i = 1; i < all.size(); i++) {
            Claim earlier = all.get(i - 1);
            Claim later = all.get(i);
            assertThat(later.from - earlier.until)
                    .as("ns between %s and %s", earlier, later)
                    .isGreaterThan(0);
            assertThat(later.fencingToken).isGreaterThan(earlier.fencingToken);
        }
    }
}
