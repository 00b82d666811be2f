// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the histories say about one lock. */
final class LockLog {
    final String name;
    final List<Acquire> acquires = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();
    final List<Intervals.Interval> removals = new ArrayList<>(); // of its key, each from when asked until done

    /** A fenced write that was accepted. */
    record Write(Acquire by, long token, long begunAt, long doneAt) {}

    LockLog(String name) {
        this.name = name;
    }

    List<Acquire> granted(Comparator<Acquire> order) {
        return acquires.stream().filter(Acquire::isGranted).sorted(order).toList();
    }
}
