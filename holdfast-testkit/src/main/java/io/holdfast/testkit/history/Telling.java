// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static io.holdfast.testkit.history.ProcessLog.NEVER;

import io.holdfast.testkit.history.Intervals.Interval;
import io.holdfast.testkit.history.Notes.Span;
import java.util.Comparator;
import java.util.List;

/**
 * P3: a holder is told of the loss by the end of its lease's validity, and of the removal of its key within a renewal
 * interval; and a lease that was lost or given back never says again that it is held.
 */
final class Telling {
    private final Run run;
    private final Notes notes;

    private Telling(Run run, Notes notes) {
        this.run = run;
        this.notes = notes;
    }

    static void check(LockLog lock, Run run, Notes notes) {
        Telling telling = new Telling(run, notes);
        List<Interval> removals = run.removals(lock);
        int next = 0;
        for (Acquire acquire : lock.granted(Comparator.comparingLong(granted -> granted.grantedAt))) {
            if (acquire.lostAt != NEVER || (acquire.releasedAt != NEVER && !acquire.releasedInTime)) {
                notes.losses++;
            }
            telling.afterExpiry(acquire);
            telling.afterTheEnd(acquire);
            while (next < removals.size() && removals.get(next).from() <= acquire.grantedAt) {
                next++;
            }
            if (next < removals.size() && acquire.renewEvery() > 0) {
                telling.afterRemoval(acquire, removals.get(next).until());
            }
        }
    }

    /** The network is no excuse here: the lease knows its own end. */
    private void afterExpiry(Acquire acquire) {
        long until = Math.min(acquire.reliedUntil(), run.lastInstant());
        long late = until - acquire.validUntil() - acquire.process.paused.within(acquire.validUntil(), until);
        if (late > run.slack()) {
            violation(acquire, "of the end of its lease", new Span(acquire.validUntil(), late));
        }
        if (until == acquire.lostAt) {
            notes.toldAfterExpiry = Math.max(notes.toldAfterExpiry, late);
        }
    }

    private void afterRemoval(Acquire acquire, long removedAt) {
        long until = Math.min(acquire.reliedUntil(), run.lastInstant());
        long late = acquire.unhindered(removedAt, until);
        if (late > run.unawareFor(acquire)) {
            violation(acquire, "of the removal of its key", new Span(removedAt, late));
        }
        if (until == acquire.lostAt) {
            notes.toldAfterRemoval = Math.max(notes.toldAfterRemoval, late);
        }
    }

    private void violation(Acquire acquire, String ofWhat, Span span) {
        String told = acquire.lostAt == NEVER ? "never told " : "told late ";
        notes.violation(Property.TOLD, told + ofWhat, span, acquire);
    }

    private void afterTheEnd(Acquire acquire) {
        long over = Math.min(acquire.lostAt, acquire.releasedAt);
        if (acquire.heldAt > over) {
            notes.violation(
                    Property.TOLD,
                    "held again after it was " + (over == acquire.lostAt ? "lost" : "given back"),
                    new Span(acquire.heldAt, acquire.heldAt - over),
                    acquire);
        }
    }
}
