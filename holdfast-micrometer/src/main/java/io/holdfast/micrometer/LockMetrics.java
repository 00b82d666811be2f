// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts and times what happens to locks. Give it to the builder before, and bind it after the {@link Holdfast} is built:
 *
 * <pre>{@code
 * LockMetrics metrics = new LockMetrics(registry);
 * Holdfast locks = Holdfast.builder().uri(uri).listener(metrics).build();
 * metrics.bindTo(locks);
 * }</pre>
 *
 * <p>The tag {@code lock} is the label of the lock's options, {@value #NO_LABEL} for a lock without one, and never its key:
 * keys have no end. Every acquire is counted once, by what came of it at last. Thread-safe; does no I/O.
 */
public final class LockMetrics implements LockListener {
    /** Tag value of locks without a label. */
    public static final String NO_LABEL = "none";

    private static final double LONG_HOLD = 0.8; // as in the log's warning

    private final MeterRegistry registry;
    private final Tags tags;
    private final ConcurrentMap<String, LabelMeters> byLabel = new ConcurrentHashMap<>();

    /** Meters without tags of their own. */
    public LockMetrics(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /** Meters with these tags besides, which tell two {@code Holdfast} of one process apart. */
    public LockMetrics(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = Objects.requireNonNull(registry, "registry must not be null");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags must not be null"));
    }

    /** Adds the gauges of what is held and who is acquiring. A second one with the same tags is ignored. */
    public void bindTo(Holdfast locks) {
        Objects.requireNonNull(locks, "locks must not be null");
        Gauge.builder("holdfast.lock.held", locks, Holdfast::heldLeases)
                .description("Leases this process holds now")
                .baseUnit("leases")
                .tags(tags)
                .register(registry);
        Gauge.builder("holdfast.lock.waiting", locks, Holdfast::waitingAcquires)
                .description("Callers in this process that are acquiring now, most of them waiting")
                .baseUnit("acquires")
                .tags(tags)
                .register(registry);
    }

    @Override
    public void acquired(LockEvent event) {
        LabelMeters meters = meters(event);
        meters.acquired(event.degraded() ? meters.degraded : meters.acquired, event);
    }

    @Override
    public void timedOut(LockEvent event) {
        LabelMeters meters = meters(event);
        meters.acquired(meters.busy, event);
    }

    @Override
    public void acquireFailed(LockEvent event) {
        if (!goesOnDegraded(event)) {
            LabelMeters meters = meters(event);
            meters.acquired(meters.failed, event);
        }
    }

    @Override
    public void abandoned(LockEvent event) {
        LabelMeters meters = meters(event);
        meters.acquired(meters.abandoned, event);
    }

    @Override
    public void renewed(LockEvent event) {
        meters(event).renewed.increment();
    }

    @Override
    public void renewalFailed(LockEvent event) {
        meters(event).renewalFailed.increment();
    }

    @Override
    public void released(LockEvent event) {
        LabelMeters meters = meters(event);
        meters.released.increment();
        held(meters, event);
    }

    @Override
    public void releaseFailed(LockEvent event) {
        LabelMeters meters = meters(event);
        meters.releaseFailed.increment();
        held(meters, event);
    }

    @Override
    public void lost(LockEvent event) {
        LabelMeters meters = meters(event);
        meters.neverReleased.increment();
        meters.lost(event.reason());
        held(meters, event);
    }

    private static void held(LabelMeters meters, LockEvent event) {
        meters.held.record(event.elapsed());
        LockOptions options = event.options();
        Duration most = options.renews() ? options.maxHold().orElse(null) : options.ttl();
        if (most != null && event.elapsed().toNanos() > most.toNanos() * LONG_HOLD) {
            meters.heldLong.increment();
        }
    }

    /** The same acquire goes on with a lock inside the process: what comes of that is what is counted. */
    static boolean goesOnDegraded(LockEvent event) {
        return event.options().onUnavailable() != FailurePolicy.FAIL
                && !event.degraded()
                && event.cause() instanceof LockBackendException failure
                && failure.isUnavailable();
    }

    private LabelMeters meters(LockEvent event) {
        String label = event.options().label().orElse(NO_LABEL);
        LabelMeters known = byLabel.get(label); // first: computeIfAbsent locks even for what is there
        return known != null
                ? known
                : byLabel.computeIfAbsent(label, made -> new LabelMeters(registry, tags.and("lock", made)));
    }
}
