// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands events to every listener; one that fails harms neither the lock nor the others. */
final class Events {
    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private static final String FAILED = "A lock listener failed: {}";

    private final List<LockListener> listeners;

    Events(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
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

    void acquired(Acquisition acquisition, TokenLease lease) {
        tell(LockListener::acquired, event(acquisition, lease.fence(), null));
    }

    void contended(Acquisition acquisition) {
        tell(LockListener::contended, event(acquisition, OptionalLong.empty(), null));
    }

    void timedOut(Acquisition acquisition) {
        tell(LockListener::timedOut, event(acquisition, OptionalLong.empty(), null));
    }

    void acquireFailed(Acquisition acquisition, Throwable cause) {
        tell(LockListener::acquireFailed, event(acquisition, OptionalLong.empty(), cause));
    }

    void abandoned(Acquisition acquisition) {
        tell(LockListener::abandoned, event(acquisition, OptionalLong.empty(), null));
    }

    void degraded(Acquisition acquisition, Throwable cause) {
        tell(LockListener::degraded, event(acquisition, OptionalLong.empty(), cause));
    }

    static void renewed(Hold hold) {
        TokenLease lease = hold.lease();
        if (lease != null) {
            lease.events().tell(LockListener::renewed, event(lease, null, null));
        }
    }

    static void renewalFailed(Hold hold, Throwable cause) {
        TokenLease lease = hold.lease();
        if (lease != null) {
            lease.events().tell(LockListener::renewalFailed, event(lease, null, cause));
        }
    }

    void lost(TokenLease lease, LostReason reason) {
        tell(LockListener::lost, event(lease, reason, null));
    }

    void released(TokenLease lease) {
        tell(LockListener::released, event(lease, null, null));
    }

    void releaseFailed(TokenLease lease, Throwable cause) {
        tell(LockListener::releaseFailed, event(lease, null, cause));
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

    private static LockEvent event(Acquisition acquisition, OptionalLong fence, @Nullable Throwable cause) {
        Effort effort = acquisition.effort;
        return new LockEvent(
                acquisition.wish.name().key(),
                acquisition.wish.options(),
                effort.elapsed(),
                effort.waited(),
                effort.attempts(),
                fence,
                acquisition.isDegraded(),
                null,
                cause);
    }

    private static LockEvent event(TokenLease lease, @Nullable LostReason reason, @Nullable Throwable cause) {
        return new LockEvent(
                lease.key(),
                lease.options(),
                lease.heldFor(),
                Duration.ZERO,
                0,
                lease.fence(),
                lease.isDegraded(),
                reason,
                cause);
    }
}
