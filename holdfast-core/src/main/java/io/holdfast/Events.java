// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands events to every listener; one that fails harms neither the lock nor the others. */
final class Events {
    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final List<LockListener> listeners;

    Events(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
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

    void degraded(Acquisition acquisition, Throwable cause) {
        tell(LockListener::degraded, event(acquisition, OptionalLong.empty(), cause));
    }

    void renewed(Hold hold) {
        tell(hold, LockListener::renewed, null, null);
    }

    void renewalFailed(Hold hold, Throwable cause) {
        tell(hold, LockListener::renewalFailed, null, cause);
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

    private void tell(
            Hold hold,
            BiConsumer<LockListener, LockEvent> what,
            @Nullable LostReason reason,
            @Nullable Throwable cause) {
        TokenLease lease = hold.lease();
        if (lease != null) {
            tell(what, event(lease, reason, cause));
        }
    }

    private void tell(BiConsumer<LockListener, LockEvent> what, LockEvent event) {
        for (LockListener listener : listeners) {
            try {
                what.accept(listener, event);
            } catch (RuntimeException e) {
                log.error("A lock listener failed: {}", listener.getClass().getName(), e);
            }
        }
    }

    private static LockEvent event(Acquisition acquisition, OptionalLong fence, @Nullable Throwable cause) {
        return new LockEvent(
                acquisition.name().key(),
                acquisition.options(),
                acquisition.elapsed(),
                acquisition.attempts(),
                fence,
                null,
                cause);
    }

    private static LockEvent event(TokenLease lease, @Nullable LostReason reason, @Nullable Throwable cause) {
        Duration held = lease.heldFor();
        return new LockEvent(lease.key(), lease.hold().options(), held, 0, lease.fence(), reason, cause);
    }
}
