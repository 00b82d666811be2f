// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.LockLog.Write;
import io.holdfast.testkit.history.Notes.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * P1: no fenced write to a lock's value was accepted although one with a higher token had been accepted, and answered,
 * before it began. Of two writes under way at the same time the store may take either first, so those are never stale.
 */
final class Register {
    private Register() {}

    static void check(LockLog lock, Notes notes) {
        List<Write> begun = new ArrayList<>(lock.writes);
        begun.sort(Comparator.comparingLong(Write::begunAt));
        List<Write> done = new ArrayList<>(begun);
        done.sort(Comparator.comparingLong(Write::doneAt));
        Write highest = null;
        int next = 0;
        for (Write write : begun) {
            while (next < done.size() && done.get(next).doneAt() < write.begunAt()) {
                Write answered = done.get(next++);
                highest = highest == null || answered.token() > highest.token() ? answered : highest;
            }
            if (highest != null && write.token() < highest.token()) {
                notes.violation(
                        Property.FENCED_WRITES,
                        "a stale write was accepted",
                        Span.at(write.begunAt()),
                        highest.by(),
                        write.by());
            }
        }
    }
}
