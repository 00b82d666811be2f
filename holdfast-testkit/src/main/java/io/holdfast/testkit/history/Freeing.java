// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static io.holdfast.testkit.history.ProcessLog.NEVER;

import io.holdfast.testkit.history.Claim.End;
import io.holdfast.testkit.history.Intervals.Interval;
import io.holdfast.testkit.history.Notes.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * P4: when a hold ends, by a release, a loss or a death, and somebody waits then or later, the lock is granted again within
 * its TTL.
 *
 * <p>Time does not count in which Redis was out of reach, nor the lease that a waiter may have got without living, or being
 * awake, to write it down, nor what was left of an earlier lease when a server came back with old data: it is there again.
 */
final class Freeing {
    private final Run run;
    private final Notes notes;
    private final long longestTtl;
    private final long[] invokedAt; // of all acquires, sorted
    private final long[] waitedUntil; // each for itself
    private final long[] furthest; // of those invoked so far
    private final Intervals excused;

    private Freeing(LockLog lock, Run run, Notes notes) {
        this.run = run;
        this.notes = notes;
        longestTtl = lock.acquires.stream().mapToLong(Acquire::ttl).max().orElse(0);
        List<Acquire> invoked = lock.acquires.stream()
                .filter(acquire -> acquire.invokedAt != NEVER)
                .sorted(Comparator.comparingLong(acquire -> acquire.invokedAt))
                .toList();
        invokedAt = invoked.stream().mapToLong(acquire -> acquire.invokedAt).toArray();
        waitedUntil = invoked.stream().mapToLong(this::undisturbedUntil).toArray();
        furthest = waitedUntil.clone();
        Arrays.parallelPrefix(furthest, Math::max);
        List<Interval> excuses = new ArrayList<>(run.outages());
        Intervals held = Intervals.of(lock.acquires.stream()
                .filter(Acquire::isGranted)
                .map(Acquire::claim)
                .map(claim -> new Interval(claim.from(), claim.until()))
                .toList());
        invoked.forEach(acquire -> addUnseen(acquire, held, excuses));
        lock.acquires.stream().filter(Acquire::isGranted).forEach(acquire -> addBroughtBack(acquire, excuses));
        excused = Intervals.of(excuses);
    }

    /** By falling token, for whatever is granted later has a higher one; the holds of one token are one tenure. */
    static void check(LockLog lock, Run run, Notes notes) {
        Freeing freeing = new Freeing(lock, run, notes);
        Comparator<Acquire> byToken = Comparator.comparingLong(acquire -> acquire.token);
        long nextGrant = NEVER;
        long earliest = NEVER;
        Acquire last = null;
        for (Acquire acquire : lock.granted(byToken.reversed())) {
            if (last != null && last.token != acquire.token) {
                freeing.tenure(last, nextGrant);
                nextGrant = Math.min(nextGrant, earliest);
                earliest = NEVER;
                last = null;
            }
            earliest = Math.min(earliest, acquire.grantedAt);
            last = last == null || overAt(acquire) > overAt(last) ? acquire : last;
        }
        if (last != null) {
            freeing.tenure(last, nextGrant);
        }
    }

    private void tenure(Acquire last, long nextGrant) {
        long over = overAt(last);
        int found = Arrays.binarySearch(invokedAt, over);
        int waiting = found >= 0 ? found : -found - 2;
        if (last.token == 0) {
            return;
        }
        long longest = 0;
        if (waiting >= 0) {
            long until = Math.min(nextGrant, furthest[waiting]);
            longest = until - over - excused.within(over, until);
            if (until == nextGrant && last.claim().end() != End.LEFT) {
                notes.free = Math.max(notes.free, longest);
            }
        }
        for (int i = waiting + 1; i < invokedAt.length && invokedAt[i] < nextGrant; i++) { // those who came later
            long until = Math.min(nextGrant, waitedUntil[i]);
            longest = Math.max(longest, until - invokedAt[i] - excused.within(invokedAt[i], until));
        }
        if (longest > ttl(last) + run.slack()) {
            notes.violation(
                    Property.FREE,
                    nextGrant == NEVER ? "not granted again though one waited" : "granted again late",
                    new Span(over, longest),
                    last);
        }
    }

    /** The latest instant at which the lock was still his. */
    private static long overAt(Acquire acquire) {
        Claim claim = acquire.claim();
        return claim.end() == End.LEFT && acquire.releasedAt != NEVER
                ? Math.max(claim.until(), acquire.releasedAt)
                : claim.until();
    }

    private long undisturbedUntil(Acquire waiter) {
        Intervals disturbed = waiter.process.disturbed;
        if (disturbed.contains(waiter.invokedAt)) {
            return waiter.invokedAt;
        }
        long until = Math.min(waiter.returnedAt, Math.min(waiter.process.endedAt, run.lastInstant()));
        return Math.min(until, disturbed.firstFrom(waiter.invokedAt));
    }

    /** A waiter whose process died, stood still or was cut off may have got the lock just then, unless another had it. */
    private void addUnseen(Acquire waiter, Intervals held, List<Interval> excuses) {
        long until = undisturbedUntil(waiter);
        boolean unseen = waiter.unknown || until < Math.min(waiter.returnedAt, run.lastInstant());
        if (unseen && !held.contains(until - 1)) { // the last instant of a holder that died with it counts
            excuses.add(new Interval(until, until + ttl(waiter)));
        }
    }

    /** Its key ends a margin later than it claims to be valid, which is at most a tenth of the TTL. */
    private void addBroughtBack(Acquire earlier, List<Interval> excuses) {
        long ends = earlier.validUntil() + ttl(earlier) / 10;
        for (Interval outage : run.bringingBackOldData()) {
            if (earlier.grantedAt < outage.until() && ends > outage.until()) {
                excuses.add(new Interval(outage.until(), ends));
            }
        }
    }

    private long ttl(Acquire acquire) {
        return acquire.ttl() != 0 ? acquire.ttl() : longestTtl;
    }
}
