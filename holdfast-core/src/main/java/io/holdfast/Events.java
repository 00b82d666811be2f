// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands events to every listener; one that fails harms neither the lock nor the others. */
final class Events {
    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private static final String FAILED = "A lock listener failed: {}";

    private final List<LockListener> listeners;
    /** When nobody else listens: making an event takes longer than passing a lock on in memory. */
    private final @Nullable EventLog onlyLog;

    Events(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
        this.onlyLog = listeners.size() == 1 && listeners.get(0) instanceof EventLog log ? log : null;
    }

    /** What one acquire and its lease tell: all listeners, and those that follow this acquire alone. */
    Events following(String key, LockOptions options) {
        List<LockListener> followers = null; // made only if there is one: every acquire comes here
        for (LockListener listener : listeners) {
            LockListener follower = follower(listener, key, options);
            if (follower != null) {
                followers = followers == null ? new ArrayList<>(listeners) : followers;
                followers.add(follower);
            }
        }
        return followers == null ? this : new Events(followers);
    }

    private static @Nullable LockListener follower(LockListener listener, String key, LockOptions options) {
        try {
            return listener.acquiring(key, options);
        } catch (RuntimeException e) {
            log.error(FAILED, listener.getClass().getName(), e);
            return null;
        }
    }

    void acquired(TokenLease lease, Effort effort) {
        if (hears(EventLog::tellsOfGrants)) {
            tell(LockListener::acquired, acquiredEvent(lease, effort.elapsed(), effort.waited(), effort.attempts()));
        }
    }

    /** A lease on what lay idle in this process, for one that came at that instant. */
    void taken(TokenLease lease) {
        if (hears(EventLog::tellsOfGrants)) {
            tell(LockListener::acquired, acquiredEvent(lease, lease.heldFor(), Duration.ZERO, 1));
        }
    }

    void contended(Acquisition acquisition) {
        tell(LockListener::contended, event(acquisition, null));
    }

    void timedOut(Acquisition acquisition) {
        tell(LockListener::timedOut, event(acquisition, null));
    }

    void acquireFailed(Acquisition acquisition, Throwable cause) {
        tell(LockListener::acquireFailed, event(acquisition, cause));
    }

    void abandoned(Acquisition acquisition) {
        tell(LockListener::abandoned, event(acquisition, null));
    }

    void degraded(Acquisition acquisition, Throwable cause) {
        tell(LockListener::degraded, event(acquisition, cause));
    }

    static void renewed(Hold hold) {
        TokenLease lease = hold.lease();
        if (lease != null) {
            lease.events().tell(LockListener::renewed, event(lease, lease.heldFor(), null, null));
        }
    }

    static void renewalFailed(Hold hold, Throwable cause) {
        TokenLease lease = hold.lease();
        if (lease != null) {
            lease.events().tell(LockListener::renewalFailed, event(lease, lease.heldFor(), null, cause));
        }
    }

    void lost(TokenLease lease, LostReason reason) {
        tell(LockListener::lost, event(lease, lease.heldFor(), reason, null));
    }

    void released(TokenLease lease, long now) {
        Duration held = lease.heldUntil(now);
        if (hears(log -> log.tellsOfRelease(lease.options(), held))) {
            tell(LockListener::released, event(lease, held, null, null));
        }
    }

    void releaseFailed(TokenLease lease, Throwable cause) {
        tell(LockListener::releaseFailed, event(lease, lease.heldFor(), null, cause));
    }

    /** Whether there would be anybody to tell. A log that fails at the question is told: what it throws then goes no further. */
    private boolean hears(Predicate<EventLog> asked) {
        try {
            return onlyLog == null || asked.test(onlyLog);
        } catch (RuntimeException e) {
            return true;
        }
    }

    private void tell(BiConsumer<LockListener, LockEvent> what, LockEvent event) {
        for (LockListener listener : listeners) {
            try {
                what.accept(listener, event);
            } catch (RuntimeException e) {
                log.error(FAILED, listener.getClass().getName(), e);
            }
        }
    }

    private static LockEvent event(Acquisition acquisition, @Nullable Throwable cause) {
        Effort effort = acquisition.effort;
        return new LockEvent(
                acquisition.wish.name().key(),
                acquisition.wish.options(),
                effort.elapsed(),
                effort.waited(),
                effort.attempts(),
                OptionalLong.empty(),
                acquisition.isDegraded(),
                null,
                cause);
    }

    private static LockEvent acquiredEvent(TokenLease lease, Duration took, Duration waited, int attempts) {
        return new LockEvent(
                lease.key(), lease.options(), took, waited, attempts, lease.fence(), lease.isDegraded(), null, null);
    }

    private static LockEvent event(
            TokenLease lease, Duration held, @Nullable LostReason reason, @Nullable Throwable cause) {
        return new LockEvent(
                lease.key(), lease.options(), held, Duration.ZERO, 0, lease.fence(), lease.isDegraded(), reason, cause);
    }
}
