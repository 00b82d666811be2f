// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The fence counters of an {@link InMemoryBackend}; guarded by that. */
final class InMemoryFences {
    private static final long HOUR_MICROS = 3_600_000_000L;

    private final MonotonicClock clock;
    private final long startedAt;
    /** As on a server, fence bases are dates, so that they rise across restarts; here the date moves with the clock. */
    private final long startedMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    private final Map<String, Long> last = new HashMap<>();

    InMemoryFences(MonotonicClock clock) {
        this.clock = clock;
        this.startedAt = clock.nanoTime();
    }

    long next(String fenceKey, long floor) {
        long now = startedMicros + TimeUnit.NANOSECONDS.toMicros(clock.nanoTime() - startedAt);
        long base = floor >= now && floor <= now + HOUR_MICROS ? floor + 1 : now;
        return last.merge(fenceKey, base, (before, asked) -> Math.max(before + 1, asked));
    }

    Set<String> keys() {
        return last.keySet();
    }

    void clear() {
        last.clear();
    }
}
