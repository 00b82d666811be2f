// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Notes.Span;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** P2: no two claims to one lock at one time, but for those of one owner. */
final class Exclusion {
    private final Notes notes;
    private final Intervals withoutExclusion;
    private @Nullable Held furthest;
    private @Nullable Held second; // the furthest of those that do not share with the furthest

    private record Held(Acquire by, Claim claim) {}

    private Exclusion(Notes notes, Intervals withoutExclusion) {
        this.notes = notes;
        this.withoutExclusion = withoutExclusion;
    }

    /** Sweeps over claims sorted by their start, against the one that reaches furthest so far. */
    static void check(LockLog lock, Run run, Notes notes) {
        Exclusion sweep = new Exclusion(notes, run.withoutExclusion(lock));
        for (Acquire acquire : lock.granted(Comparator.comparingLong(granted -> granted.grantedAt))) {
            Claim claim = acquire.claim();
            // A process paused between the grant and its first look at the clock never claimed anything.
            if (claim.from() < claim.until()) {
                sweep.add(new Held(acquire, claim));
            }
        }
    }

    private void add(Held next) {
        Held rival = furthest != null && furthest.claim.sharesWith(next.claim) ? second : furthest;
        if (rival != null && next.claim.from() < rival.claim.until()) {
            note(rival, next);
        }
        if (furthest == null || next.claim.until() > furthest.claim.until()) {
            second = furthest != null && furthest.claim.sharesWith(next.claim) ? second : furthest;
            furthest = next;
        } else if (!furthest.claim.sharesWith(next.claim)
                && (second == null || next.claim.until() > second.claim.until())) {
            second = next;
        }
    }

    private void note(Held first, Held next) {
        long at = next.claim.from();
        Span span = new Span(at, Math.min(first.claim.until(), next.claim.until()) - at);
        long lease = Math.max(first.by.ttl(), next.by.ttl());
        long faultEnd = withoutExclusion.endOfLast(at);
        if (faultEnd != Long.MIN_VALUE && at - faultEnd <= lease) {
            notes.notPromised(Property.EXCLUSION, "two holders", span, first.by, next.by);
        } else {
            notes.violation(Property.EXCLUSION, "two holders", span, first.by, next.by);
        }
    }
}
