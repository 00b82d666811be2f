// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.RenewReply;
import io.holdfast.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every hold of this process: renews those that are to be renewed, and tells the holder when one can't be proven any
 * more.
 *
 * <p><b>Safety.</b> A hold is in the heap once, due at its next renewal or at the end of its validity, whichever comes
 * first. While a renewal is under way it is due at the end of its validity, so an answer that never comes costs the lease
 * but not the telling. A released hold leaves the heap before its release is sent; a renewal that is still under way then
 * finds the key gone, or extends a key that is about to be deleted: both harmless.
 *
 * <p><b>Liveness.</b> A failed renewal is tried again, ever sooner, as long as the lease can be saved. Its time limit is a
 * third of what remains, so a hung connection leaves time for others. Batches of different backends go out side by side.
 *
 * <p><b>Cost.</b> Leases due within a tenth of their interval are renewed together, at most {@value #BATCH} a command; a
 * lone lease is renewed exactly once an interval.
 */
final class LeaseKeeper {
    private static final int BATCH = 200;
    private static final int EARLY_SHARE = 10;
    private static final long SHORTEST_PAUSE = Duration.ofMillis(5).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(1).toNanos();

    private final Engine engine;
    private final Alarms.Alarm alarm = Alarms.Alarm.of(this::tend);

    private final ReentrantLock guard = new ReentrantLock();
    // Guarded by guard.
    private final DueHeap<Hold> holds = new DueHeap<>();
    private boolean armed;
    private long armedFor;

    LeaseKeeper(Engine engine) {
        this.engine = engine;
    }

    /** A lease begins on this hold; most of those that follow the first one have nothing to change here. */
    void inUse(Hold hold) {
        if (hold.needsSchedule) {
            hold.needsSchedule = false;
            schedule(hold, hold.provenFrom() + renewInterval(hold));
        }
    }

    void drop(Hold hold) {
        guard.lock();
        try {
            holds.remove(hold); // the alarm stays as it is: one early look is cheaper than arming it anew each time
        } finally {
            guard.unlock();
        }
    }

    int size() {
        guard.lock();
        try {
            return holds.size();
        } finally {
            guard.unlock();
        }
    }

    List<Hold> all() {
        guard.lock();
        try {
            return holds.all();
        } finally {
            guard.unlock();
        }
    }

    /** The hold is over, whatever its key still does: tells its lease, once. */
    void lose(Hold hold, LostReason reason) {
        if (!hold.lose(reason, engine.clock.nanoTime())) {
            return;
        }
        drop(hold);
        hold.bid.spend();
        engine.switchboard.remove(hold.bid);
        hold.bid.close(engine.cleaner);
        TokenLease lease = hold.lease();
        if (lease != null) {
            lease.tellLost(reason);
        }
        Gate gate = hold.gate;
        if (gate != null) {
            gate.lost(hold);
        }
        Succession succession = hold.succession;
        if (succession != null) {
            succession.leave();
        }
    }

    /** After a renewal by hand: the next one is a whole interval away, and validity may end earlier than before. */
    void rescheduled(Hold hold, long sentAt) {
        schedule(hold, sentAt + renewInterval(hold));
    }

    private void schedule(Hold hold, long renewAt) {
        guard.lock();
        try {
            holds.remove(hold);
            if (hold.state() != Hold.State.HELD) {
                return;
            }
            boolean renews = hold.options().renews() && hold.canBeExtended() && renewAt - hold.validUntil() < 0;
            hold.renewalDue = renews;
            hold.dueAt = renews ? renewAt : hold.validUntil();
            holds.add(hold);
            arm();
        } finally {
            guard.unlock();
        }
    }

    private void arm() {
        Hold next = holds.peek();
        if (next != null && (!armed || next.dueAt - armedFor < 0)) {
            armed = true;
            armedFor = next.dueAt;
            engine.alarms.set(alarm, next.dueAt);
        }
    }

    /** Does what is due; called when the alarm rings. */
    void tend() {
        long now = engine.clock.nanoTime();
        List<Hold> ended = new ArrayList<>();
        List<Hold> renewals = new ArrayList<>();
        guard.lock();
        try {
            armed = false;
            Hold next;
            while ((next = holds.peek()) != null && isDue(next, now)) {
                holds.remove(next);
                if (now - next.validUntil() >= 0) {
                    ended.add(next);
                } else {
                    if (next.renewalDue) {
                        next.needsSchedule =
                                true; // before the look: whoever begins to use it now sees one or the other
                        if (next.lease() != null) { // a lock kept for nobody is not kept for long
                            next.needsSchedule = false;
                            renewals.add(next);
                        }
                    }
                    next.renewalDue = false;
                    next.dueAt = next.validUntil();
                    holds.add(next);
                }
            }
            arm();
        } finally {
            guard.unlock();
        }
        ended.forEach(hold -> lose(hold, hold.reasonOfEnd()));
        renew(renewals);
    }

    private static boolean isDue(Hold hold, long now) {
        long early = hold.renewalDue ? renewInterval(hold) / EARLY_SHARE : 0;
        return hold.dueAt - early - now <= 0;
    }

    private void renew(List<Hold> due) {
        Map<LockBackend, List<Hold>> byBackend = due.stream().collect(Collectors.groupingBy(hold -> hold.backend()));
        byBackend.forEach((backend, all) -> {
            for (int from = 0; from < all.size(); from += BATCH) {
                List<Hold> batch = all.subList(from, Math.min(from + BATCH, all.size()));
                engine.renewals(backend).execute(() -> send(backend, batch));
            }
        });
    }

    private void send(LockBackend backend, List<Hold> due) {
        long now = engine.clock.nanoTime();
        List<Hold> batch = due.stream().filter(hold -> hold.isValid(now)).toList();
        if (batch.isEmpty()) {
            return;
        }
        List<Duration> ttls = batch.stream().map(hold -> hold.nextTtl(now)).toList();
        long limit = backend.commandTimeout().toNanos();
        List<RenewRequest> requests = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            limit = Math.min(limit, (batch.get(i).validUntil() - now) / 3);
            requests.add(batch.get(i).renewal(ttls.get(i)));
        }
        // The limit runs before the call: a blocking client comes back from a hung server only after its own time
        // limit.
        CompletableFuture<List<RenewReply>> reply = new CompletableFuture<>();
        CompletableFuture<List<RenewReply>> limited =
                engine.alarms.within(reply, Math.max(1, limit), "a renewal of " + batch.size() + " lease(s)");
        Futures.onDone(limited, (replies, failure) -> {
            for (int i = 0; i < batch.size(); i++) {
                settle(batch.get(i), now, ttls.get(i), replies == null ? null : replies.get(i), failure);
            }
        });
        Futures.follow(backend.renew(requests), reply);
    }

    private void settle(Hold hold, long sentAt, Duration ttl, @Nullable RenewReply reply, @Nullable Throwable failure) {
        long now = engine.clock.nanoTime();
        if (reply instanceof RenewReply.Gone) {
            lose(hold, LostReason.GONE);
        } else if (reply instanceof RenewReply.Renewed) {
            if (hold.extend(sentAt, ttl, now)) {
                schedule(hold, sentAt + renewInterval(hold));
                Events.renewed(hold);
            } else {
                lose(hold, hold.reasonOfEnd());
                if (hold.state() == Hold.State.LOST) { // renewed for nobody: whoever waits can have it
                    engine.cleaner.leave(hold.bid.target());
                } // else whoever closed it takes the key off, and would find it gone
            }
        } else if (hold.isValid(now)) {
            long pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, (hold.validUntil() - now) / 8));
            schedule(hold, now + pause);
            hold.renewalFails = true;
            Throwable cause = reply instanceof RenewReply.Failed failed
                    ? new RedisReplyException(failed.message())
                    : BackendErrors.unwrap(failure);
            Events.renewalFailed(hold, cause);
        }
    }

    private static long renewInterval(Hold hold) {
        return hold.options().renewInterval().toNanos();
    }
}
