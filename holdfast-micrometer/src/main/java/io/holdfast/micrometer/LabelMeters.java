// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import io.holdfast.LockEvent;
import io.holdfast.LostReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meters of all locks of one label. All of them are there from the label's first event on, at zero: a counter that
 * appears with its first increment would hide that one from {@code rate()}.
 */
final class LabelMeters {
    /** From one round trip to a long wait; 500 ms is where the alert is. */
    private static final Duration[] ACQUIRE_BUCKETS = millis(1, 5, 20, 100, 250, 500, 1_000, 5_000);

    /** A histogram too, or Prometheus would have two types under one name; how long these took is seldom asked. */
    private static final Duration[] ONE_BUCKET = millis(500);

    private static final Duration[] HOLD_BUCKETS = millis(10, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000);

    final Timer acquired;
    final Timer busy;
    final Timer failed;
    final Timer degraded;
    final Timer abandoned;
    final Timer held;
    final Counter heldLong;
    final Counter released;
    final Counter releaseFailed;
    final Counter neverReleased;
    final Counter renewed;
    final Counter renewalFailed;
    private final Timer waited;
    private final Map<LostReason, Counter> lost = new EnumMap<>(LostReason.class);
    private final MeterRegistry registry;
    private final Tags tags;

    LabelMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        acquired = acquire("acquired", ACQUIRE_BUCKETS);
        busy = acquire("busy", ONE_BUCKET);
        failed = acquire("failed", ONE_BUCKET);
        degraded = acquire("degraded", ONE_BUCKET);
        abandoned = acquire("abandoned", ONE_BUCKET);
        waited = timer("holdfast.lock.wait", "Waiting for another holder, of acquires that had to")
                .register(registry);
        held = timer("holdfast.lock.hold", "From the grant to the release or the loss")
                .serviceLevelObjectives(HOLD_BUCKETS)
                .register(registry);
        heldLong =
                counter("holdfast.lock.hold.long", "Holds over 80 % of the TTL, or of the maximum hold", Tags.empty());
        released = release("released");
        releaseFailed = release("failed");
        neverReleased = release("lost");
        renewed = renewal("renewed");
        renewalFailed = renewal("failed");
        for (LostReason reason : LostReason.values()) {
            Tags why = Tags.of("reason", reason.name().toLowerCase(Locale.ROOT));
            lost.put(reason, counter("holdfast.lock.lost", "Leases lost while held", why));
        }
    }

    void acquired(Timer outcome, LockEvent event) {
        outcome.record(event.elapsed());
        if (!event.waited().isZero()) {
            waited.record(event.waited());
        }
    }

    void lost(@Nullable LostReason reason) {
        Counter counter = reason == null ? null : lost.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    private Timer acquire(String outcome, Duration... buckets) {
        return timer("holdfast.lock.acquire", "From the call to the lease, or to the end of trying")
                .tag("outcome", outcome)
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    private Counter release(String outcome) {
        return counter("holdfast.lock.release", "How leases ended", Tags.of("outcome", outcome));
    }

    private Counter renewal(String outcome) {
        return counter("holdfast.lock.renewal", "Renewals of leases", Tags.of("outcome", outcome));
    }

    private Timer.Builder timer(String name, String description) {
        return Timer.builder(name).description(description).tags(tags);
    }

    private Counter counter(String name, String description, Tags more) {
        return Counter.builder(name)
                .description(description)
                .tags(tags.and(more))
                .register(registry);
    }

    private static Duration[] millis(long... bounds) {
        return Arrays.stream(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
