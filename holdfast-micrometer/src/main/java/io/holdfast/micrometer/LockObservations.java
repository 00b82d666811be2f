// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observes every acquire ({@value #ACQUIRE}) and every hold ({@value #HOLD}), for traces: both are children of what the caller
 * was in when it asked for the lock, also where another thread brings the lease. Give it to the builder of {@code Holdfast}.
 *
 * <p>The names are not those of {@link LockMetrics}: a registry that makes meters of observations would count twice.
 *
 * <p>A hold begins with the grant and ends with the release or the loss, on whatever thread: it is never the current
 * observation of one. What the holder does meanwhile stands beside it, under the same parent.
 */
public final class LockObservations implements LockListener {
    /** Observation of an acquire: from the call to the lease, or to the end of trying. */
    public static final String ACQUIRE = "holdfast.acquire";

    /** Observation of a hold: from the grant to the release or the loss. */
    public static final String HOLD = "holdfast.hold";

    private final ObservationRegistry registry;

    /** Observations for that registry. */
    public LockObservations(ObservationRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry must not be null");
    }

    @Override
    public @Nullable LockListener acquiring(String key, LockOptions options) {
        return registry.isNoop() ? null : new ObservedAcquire(registry, key, options);
    }
}
