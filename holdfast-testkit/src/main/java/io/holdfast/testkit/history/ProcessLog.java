// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Intervals.Interval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the histories say about one process. */
final class ProcessLog {
    static final long NEVER = Long.MAX_VALUE;

    final long pid;
    final Map<Long, Acquire> acquires = new HashMap<>();
    final Stretches pauses = new Stretches();
    final Stretches faults = new Stretches();
    long ttl;
    long renewEvery;
    long endedAt = NEVER;

    // From here on known once the run is complete.
    Intervals paused = Intervals.NONE;
    Intervals hindered = Intervals.NONE; // paused, or Redis unreachable
    Intervals disturbed = Intervals.NONE; // the same, but for faults that everybody sees

    ProcessLog(long pid) {
        this.pid = pid;
    }

    void complete(long lastInstant, List<Interval> commonFaults) {
        List<Interval> all = new ArrayList<>(pauses.until(lastInstant));
        paused = Intervals.of(all);
        all.addAll(faults.until(lastInstant));
        disturbed = Intervals.of(all);
        all.addAll(commonFaults);
        hindered = Intervals.of(all);
    }

    /** Stretches told by their begins and ends, in any order; ends that were never told are those of the run. */
    static final class Stretches {
        private final List<Long> begins = new ArrayList<>();
        private final List<Long> ends = new ArrayList<>();

        void begin(long nanos) {
            begins.add(nanos);
        }

        void end(long nanos) {
            ends.add(nanos);
        }

        List<Interval> until(long lastInstant) {
            begins.sort(null);
            ends.sort(null);
            List<Interval> all = new ArrayList<>();
            for (int i = 0; i < begins.size(); i++) {
                all.add(new Interval(begins.get(i), i < ends.size() ? ends.get(i) : lastInstant));
            }
            return all;
        }
    }
}
