// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** What one acquire has cost its caller so far. */
final class Effort {
    final long startedAt;
    private final MonotonicClock clock;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile long busyAfter = -1; // since the start; until then nobody was in the way

    Effort(MonotonicClock clock, long startedAt) {
        this.clock = clock;
        this.startedAt = startedAt;
    }

    long nanos() {
        return clock.nanoTime() - startedAt;
    }

    Duration elapsed() {
        return Duration.ofNanos(nanos());
    }

    void asks() {
        asked.incrementAndGet();
    }

    /** How often Redis was asked so far. */
    int asked() {
        return asked.get();
    }

    /** How often Redis was asked for this caller; at the gate others ask for it. */
    int attempts() {
        return Math.max(1, asked());
    }

    /** Another one holds the lock, and the caller waits; true the first time. */
    boolean begunToWait() {
        boolean first = busyAfter < 0;
        if (first) {
            busyAfter = nanos();
        }
        return first;
    }

    boolean hasWaited() {
        return busyAfter >= 0;
    }

    /** How long of it was waiting for another holder. */
    Duration waited() {
        long after = busyAfter;
        return after < 0 ? Duration.ZERO : Duration.ofNanos(nanos() - after);
    }
}
