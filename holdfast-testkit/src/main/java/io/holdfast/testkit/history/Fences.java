// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static io.holdfast.testkit.history.ProcessLog.NEVER;

import io.holdfast.testkit.history.Notes.Span;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fencing tokens: each grant has its own, higher than that of every grant that had returned before it was asked for. Two
 * acquires under way at one time may be granted in either order.
 *
 * <p>A grant by Redis passes from thread to thread in memory, and each turn on it has a higher token. A process whose key was lost
 * does so until it knows, which P3 bounds; its turns may then come after a higher grant to another, and are counted apart.
 *
 * <p>Re-entry keeps the token of the hold it enters, and that hold need not be one that anybody saw: an acquire of the same owner
 * that ended without a lease may have been granted, and its hold lasts until it was cleaned up. So may a copy of any acquire that
 * was tried during an outage: it may arrive when that is over, though the acquire was answered and given back long ago. A server
 * that came back with old data brings back holds that had been released; to enter one is not excluded, and counted apart.
 */
final class Fences {
    private final LockLog lock;
    private final Run run;
    private final Notes notes;
    private final Intervals dataLosses;

    private Fences(LockLog lock, Run run, Notes notes) {
        this.lock = lock;
        this.run = run;
        this.notes = notes;
        this.dataLosses = run.withoutExclusion(lock);
    }

    static void check(LockLog lock, Run run, Notes notes) {
        List<Acquire> byGrant = lock.granted(Comparator.comparingLong(acquire -> acquire.grantedAt)).stream()
                .filter(acquire -> acquire.token != 0)
                .toList();
        Fences fences = new Fences(lock, run, notes);
        fences.ordered(byGrant);
        fences.unique(byGrant);
        fences.kept(byGrant);
    }

    private void ordered(List<Acquire> byGrant) {
        Map<Long, Acquire> firstOfToken = new HashMap<>();
        byGrant.forEach(acquire -> firstOfToken.putIfAbsent(acquire.token, acquire));
        Acquire highest = null;
        int next = 0;
        for (Acquire acquire : sorted(byGrant, Comparator.comparingLong(Fences::askedAt))) {
            while (next < byGrant.size() && byGrant.get(next).grantedAt < askedAt(acquire)) {
                Acquire before = byGrant.get(next++);
                highest = highest == null || before.token > highest.token ? before : highest;
            }
            if (highest == null || acquire.token >= highest.token) {
                continue;
            }
            Acquire first = firstOfToken.getOrDefault(acquire.token, acquire);
            if (mayFollowDataLoss(first, acquire)) {
                notes.notPromised(Property.FENCES, "re-entry after data loss", Span.at(acquire.grantedAt), acquire);
            } else if (mayBePassedOnUnaware(acquire, byGrant)) {
                notes.notPromised(
                        Property.FENCES, "passed on after data loss", Span.at(acquire.grantedAt), highest, acquire);
            } else {
                notes.violation(
                        Property.FENCES, "a token lower than one before", Span.at(acquire.grantedAt), highest, acquire);
            }
        }
    }

    private void unique(List<Acquire> byGrant) {
        Acquire first = null; // of those with the same token
        long releasedBy = NEVER; // when all of them were given back
        Comparator<Acquire> order = Comparator.comparingLong(acquire -> acquire.token);
        for (Acquire acquire : sorted(byGrant, order.thenComparingLong(Fences::askedAt))) {
            long released = acquire.releasedInTime ? acquire.releasedAt : NEVER;
            if (first == null || first.token != acquire.token) {
                first = acquire;
                releasedBy = released;
                continue;
            }
            boolean reEntry = isOneOwners(first, acquire)
                    && (askedAt(acquire) <= releasedBy
                            || mayFollowDataLoss(first, acquire)
                            || mayEnterUnseenHold(acquire));
            if (!reEntry) {
                notes.violation(
                        Property.FENCES, "one token for two grants", Span.at(acquire.grantedAt), first, acquire);
            }
            releasedBy = Math.max(releasedBy, released);
        }
    }

    private static boolean isOneOwners(Acquire first, Acquire later) {
        return later.owner != 0 && later.owner == first.owner;
    }

    private boolean mayFollowDataLoss(Acquire first, Acquire later) {
        return isOneOwners(first, later) && dataLosses.endOfLast(later.grantedAt) > first.grantedAt;
    }

    /**
     * Whether the key was lost after the grant of this turn and before all grants that are higher, so shortly ago that the process
     * need not know. A higher turn on the same grant is never excused, nor is a first turn: Redis was asked for that. Only asked
     * about what looks wrong, so it may look at all.
     */
    private boolean mayBePassedOnUnaware(Acquire turn, List<Acquire> byGrant) {
        List<Acquire> higher = byGrant.stream()
                .filter(other -> other.token > turn.token && other.grantedAt < askedAt(turn))
                .toList();
        if (!turn.isPassedOn() || higher.stream().anyMatch(other -> other.base() == turn.base())) {
            return false;
        }
        long grantedAt = byGrant.stream()
                .filter(other -> other.base() == turn.base())
                .mapToLong(other -> other.grantedAt)
                .findFirst()
                .orElse(turn.grantedAt);
        long lostAt = dataLosses.endOfLast(higher.get(0).grantedAt);
        return lostAt > grantedAt && turn.unhindered(lostAt, turn.grantedAt) <= run.unawareFor(turn);
    }

    /** Only asked about what looks wrong, so it may look at all. */
    private boolean mayEnterUnseenHold(Acquire acquire) {
        return lock.acquires.stream()
                .filter(other -> !other.equals(acquire) && isOneOwners(other, acquire))
                .anyMatch(other -> other.invokedAt < acquire.grantedAt && unseenUntil(other) > askedAt(acquire));
    }

    /** When the last hold that a try of this acquire may have taken unseen is over at the latest; 0 if there was none. */
    private long unseenUntil(Acquire other) {
        long lateCopyAt = run.outages().stream()
                .filter(outage -> outage.from() < other.returnedAt && outage.until() > other.invokedAt)
                .mapToLong(Intervals.Interval::until)
                .max()
                .orElse(0);
        long lastTryAt = other.isGranted() ? lateCopyAt : Math.max(other.returnedAt, lateCopyAt);
        return lastTryAt == 0 || lastTryAt == NEVER ? lastTryAt : lastTryAt + other.ttl() + run.slack();
    }

    /**
     * What was entered must have been held to the end: a lost hold cannot be entered any more, known or not. A release that had
     * to be sent twice may take a hold that went with the server's data for one it gave back itself.
     */
    private void kept(List<Acquire> byGrant) {
        Map<Long, Acquire> outermost = new HashMap<>();
        for (Acquire acquire : byGrant) {
            Acquire outer = acquire.owner == 0 ? null : outermost.get(acquire.owner);
            if (outer != null
                    && outer.grantedAt < askedAt(acquire)
                    && acquire.grantedAt < outer.leftAt
                    && acquire.token != outer.token
                    && !mayFollowDataLoss(outer, acquire)) {
                notes.violation(
                        Property.FENCES, "re-entry with another token", Span.at(acquire.grantedAt), outer, acquire);
            }
            boolean further = outer == null || acquire.leftAt > outer.leftAt;
            if (acquire.owner != 0 && acquire.releasedInTime && acquire.leftAt != NEVER && further) {
                outermost.put(acquire.owner, acquire);
            }
        }
    }

    /** Without a record of it the latest it can have been. */
    private static long askedAt(Acquire acquire) {
        return Math.min(acquire.invokedAt, acquire.grantedAt);
    }

    private static List<Acquire> sorted(List<Acquire> acquires, Comparator<Acquire> order) {
        return acquires.stream().sorted(order).toList();
    }
}
