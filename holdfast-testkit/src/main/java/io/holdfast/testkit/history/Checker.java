// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.nio.file.Path;

/**
 * Judges histories. A pure function of them: nothing that anybody believed while they were written goes in, and no clock.
 *
 * <p>Every check allows what the times leave open. An instant is known only as between two records, so operations that were
 * under way at one time are never called out of order, and a claim counts only where it was certainly made. Whatever is
 * found is therefore wrong for certain, as far as the records are.
 *
 * <p>Sorts and sweeps, lock by lock: a million holds take seconds.
 */
public final class Checker {
    private Checker() {}

    /**
     * Judges what was recorded.
     *
     * @param events of all processes; those of one process and acquire in the order they were recorded
     */
    public static Findings check(Iterable<Event> events, Settings settings) {
        Run run = new Run();
        events.forEach(run::accept);
        return judge(run, settings);
    }

    /** Judges all histories in a folder, without keeping their records in memory. */
    public static Findings check(Path folder, Settings settings) {
        Run run = new Run();
        History.readAll(folder, run::accept);
        return judge(run, settings);
    }

    private static Findings judge(Run run, Settings settings) {
        run.complete(settings);
        Notes notes = new Notes();
        for (LockLog lock : run.locks()) {
            Register.check(lock, notes);
            Fences.check(lock, run, notes);
            Exclusion.check(lock, run, notes);
            Telling.check(lock, run, notes);
            Freeing.check(lock, run, notes);
            Ending.check(lock, run, notes);
        }
        return notes.findings(run);
    }
}
