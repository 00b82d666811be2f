// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import io.holdfast.HeldLease;
import io.holdfast.LockInfo;
import io.holdfast.WaitingAcquire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint answers. Never a lock's token: whoever knows it can release the lock. Fencing tokens are text: they have more
 * digits than the numbers of JavaScript.
 */
final class LockView {
    private LockView() {}

    /** What this process has to do with locks; lists have their longest first, and an end. */
    record Locks(
            int heldCount,
            List<Held> held,
            int waitingCount,
            List<Waiting> waiting,
            List<LockContention.Contended> contended) {}

    record Held(
            String key,
            @Nullable String label,
            Duration heldFor,
            Duration remaining,
            @Nullable String fencingToken,
            boolean degraded,
            boolean renewalFailing) {

        static Held of(HeldLease lease) {
            return new Held(
                    lease.key(),
                    lease.label(),
                    lease.heldFor(),
                    lease.remaining(),
                    text(lease.fencingToken()),
                    lease.degraded(),
                    lease.renewalFailing());
        }
    }

    record Waiting(String key, @Nullable String label, Duration waitingFor) {

        static Waiting of(WaitingAcquire acquire) {
            return new Waiting(acquire.key(), acquire.label(), acquire.waitingFor());
        }
    }

    /** One lock as Redis knows it; the holder is null when it is free. */
    record Lock(String key, boolean held, @Nullable Holder holder, List<String> waiting) {

        static Lock of(LockInfo info) {
            LockInfo.Holder holder = info.holder();
            return new Lock(info.key(), info.isHeld(), holder == null ? null : Holder.of(holder), info.waiting());
        }
    }

    /** Who has, or had, a lock: {@code host/pid}, or null for another library's. */
    record Holder(
            @Nullable String process,
            @Nullable Instant since,
            @Nullable Duration ttl,
            boolean eternal,
            @Nullable String fencingToken,
            @Nullable String owner,
            int holds,
            boolean incompatible) {

        static Holder of(LockInfo.Holder holder) {
            return new Holder(
                    holder.note(),
                    holder.since(),
                    holder.ttl(),
                    holder.eternal(),
                    text(holder.fencingToken()),
                    holder.owner(),
                    holder.holds(),
                    holder.incompatible());
        }
    }

    /** What came of taking a lock away. */
    record Released(String key, boolean released, @Nullable Holder from) {}

    /** Another grant has the lock than the one that was to end. */
    record Conflict(String error, Lock now) {

        static Conflict of(long expected, LockInfo now) {
            return new Conflict(
                    "nothing was taken: the lock is held, but not "
                            + (expected == 0 ? "by a grant without a fencing token" : "with fencing token " + expected),
                    Lock.of(now));
        }
    }

    /** Why something was not done. */
    record Refusal(String error) {}

    private static @Nullable String text(OptionalLong token) {
        return token.isPresent() ? Long.toString(token.getAsLong()) : null;
    }
}
