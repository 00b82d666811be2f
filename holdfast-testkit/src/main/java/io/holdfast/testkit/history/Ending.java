// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static io.holdfast.testkit.history.ProcessLog.NEVER;

import io.holdfast.testkit.history.Notes.Span;

/** Every acquire ends within its wait, as long as its process lives and is let run. */
final class Ending {
    private Ending() {}

    static void check(LockLog lock, Run run, Notes notes) {
        for (Acquire acquire : lock.acquires) {
            if (acquire.invokedAt == NEVER) {
                continue;
            }
            long until = Math.min(Math.min(acquire.returnedAt, acquire.process.endedAt), run.lastInstant());
            long took = until - acquire.invokedAt - acquire.process.paused.within(acquire.invokedAt, until);
            // Subtracted, because a wait may be as long as can be.
            if (took - acquire.wait > run.slack() + run.commandTimeout()) {
                notes.violation(
                        Property.ENDS,
                        acquire.returnedAt == NEVER ? "an acquire never returned" : "an acquire returned late",
                        new Span(acquire.invokedAt, took),
                        acquire);
            }
        }
    }
}
