// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The two observations of one acquire. Both are made on the caller's thread, where the parent is known; the lease may come on
 * the thread of somebody else's release, and be lost on another while it does.
 */
final class ObservedAcquire implements LockListener {
    private final Observation acquire;
    private final Observation hold;

    // Guarded by this.
    private boolean holds;
    private @Nullable LockEvent ended;

    ObservedAcquire(ObservationRegistry registry, String key, LockOptions options) {
        String label = options.label().orElse(LockMetrics.NO_LABEL);
        Observation parent = registry.getCurrentObservation();
        acquire = named(LockObservations.ACQUIRE, "acquire " + label, registry);
        hold = named(LockObservations.HOLD, "hold " + label, registry);
        for (Observation each : new Observation[] {acquire, hold}) {
            each.lowCardinalityKeyValue("lock", label).highCardinalityKeyValue("key", key);
        }
        // Without a parent the hold would become part of whatever the thread that brings the lease is in.
        hold.parentObservation(parent != null ? parent : acquire);
        acquire.start();
    }

    private static Observation named(String name, String contextualName, ObservationRegistry registry) {
        return Observation.createNotStarted(name, registry).contextualName(contextualName);
    }

    @Override
    public void contended(LockEvent event) {
        acquire.event(Observation.Event.of("contended", "another one holds the lock"));
    }

    @Override
    public void degraded(LockEvent event) {
        acquire.event(Observation.Event.of("degraded", "Redis is unavailable, going on inside this process"));
    }

    @Override
    public void timedOut(LockEvent event) {
        end(acquire, "busy");
    }

    @Override
    public void abandoned(LockEvent event) {
        end(acquire, "abandoned");
    }

    @Override
    public void acquireFailed(LockEvent event) {
        if (!LockMetrics.goesOnDegraded(event)) {
            fail(acquire, event);
        }
    }

    @Override
    public void acquired(LockEvent event) {
        event.fencingToken().ifPresent(token -> hold.highCardinalityKeyValue("fencing.token", Long.toString(token)));
        end(acquire, event.degraded() ? "degraded" : "acquired");
        LockEvent lost;
        synchronized (this) {
            hold.start();
            holds = true;
            lost = ended;
        }
        if (lost != null) {
            lost(lost);
        }
    }

    @Override
    public void renewalFailed(LockEvent event) {
        hold.event(Observation.Event.of("renewal.failed", "a renewal did not get through"));
    }

    @Override
    public void released(LockEvent event) {
        end(hold, "released");
    }

    @Override
    public void releaseFailed(LockEvent event) {
        fail(hold, event);
    }

    @Override
    public void lost(LockEvent event) {
        synchronized (this) {
            if (!holds) { // lost on its way to the caller: told before the grant
                ended = event;
                return;
            }
        }
        end(hold.highCardinalityKeyValue("reason", String.valueOf(event.reason())), "lost");
    }

    private static void fail(Observation observation, LockEvent event) {
        Throwable cause = event.cause();
        if (cause != null) {
            observation.error(cause);
        }
        end(observation, "failed");
    }

    private static void end(Observation observation, String outcome) {
        observation.lowCardinalityKeyValue("outcome", outcome).stop();
    }
}
