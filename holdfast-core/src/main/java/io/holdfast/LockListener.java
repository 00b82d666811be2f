// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Told of everything that happens to locks; metrics, logs and dashboards are listeners. Called on the thread that saw the
 * event, so a listener must be quick and must not block; what it throws is logged and goes no further.
 */
public interface LockListener {

    /**
     * An acquire begins; told on the caller's thread, before anything is sent. The listener given back, if any, is told of
     * this acquire and of the lease it may bring, and of no other: tracing begins here.
     */
    default @Nullable LockListener acquiring(String key, LockOptions options) {
        return null;
    }

    /** A lease was granted; {@link LockEvent#elapsed()} is the time it took. */
    default void acquired(LockEvent event) {}

    /** Another one holds the lock, and the caller will wait; told once for each acquire. */
    default void contended(LockEvent event) {}

    /** The caller gave up: busy. */
    default void timedOut(LockEvent event) {}

    /** Redis could not be asked; {@link LockEvent#cause()} says why. */
    default void acquireFailed(LockEvent event) {}

    /** The caller went away before there was an answer: interrupted, cancelled, or the {@link Holdfast} was closed. */
    default void abandoned(LockEvent event) {}

    /** Redis was unavailable, and the options let the caller go on with a degraded lease. */
    default void degraded(LockEvent event) {}

    /** A lease was extended. */
    default void renewed(LockEvent event) {}

    /** A renewal did not get through; it is tried again while the lease can be saved. */
    default void renewalFailed(LockEvent event) {}

    /** A lease was lost; {@link LockEvent#reason()} says why, {@link LockEvent#elapsed()} how long it was held. */
    default void lost(LockEvent event) {}

    /** A lease was given back; {@link LockEvent#elapsed()} is how long it was held. */
    default void released(LockEvent event) {}

    /** A release did not get through; the lock is free when its TTL ends, or sooner if clean-up succeeds. */
    default void releaseFailed(LockEvent event) {}
}
