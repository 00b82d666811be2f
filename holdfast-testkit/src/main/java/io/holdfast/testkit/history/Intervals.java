// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Stretches of time, merged where they touch, to be asked how much of another stretch they cover. */
final class Intervals {
    static final Intervals NONE = new Intervals(List.of());

    private final long[] from;
    private final long[] until;
    private final long[] before; // covered before the one with that index

    /** From the first instant until the one after the last. */
    record Interval(long from, long until) {}

    private Intervals(List<Interval> merged) {
        from = merged.stream().mapToLong(Interval::from).toArray();
        until = merged.stream().mapToLong(Interval::until).toArray();
        before = new long[from.length];
        for (int i = 1; i < from.length; i++) {
            before[i] = before[i - 1] + until[i - 1] - from[i - 1];
        }
    }

    static Intervals of(Collection<Interval> any) {
        if (any.isEmpty()) {
            return NONE;
        }
        List<Interval> merged = new ArrayList<>();
        any.stream().sorted(Comparator.comparingLong(Interval::from)).forEach(next -> {
            Interval last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && next.from <= last.until) {
                merged.set(merged.size() - 1, new Interval(last.from, Math.max(last.until, next.until)));
            } else {
                merged.add(next);
            }
        });
        return new Intervals(merged);
    }

    /** How much of that stretch is covered. */
    long within(long begin, long end) {
        return end <= begin ? 0 : coveredBy(end) - coveredBy(begin);
    }

    boolean contains(long instant) {
        int i = lastBegunBy(instant);
        return i >= 0 && instant < until[i];
    }

    /** The end of the last that had begun by an instant; {@link Long#MIN_VALUE} if none had. */
    long endOfLast(long instant) {
        int i = lastBegunBy(instant);
        return i < 0 ? Long.MIN_VALUE : until[i];
    }

    /** When the first begins at or after an instant; {@link Long#MAX_VALUE} if none does. */
    long firstFrom(long instant) {
        int found = Arrays.binarySearch(from, instant);
        int i = found >= 0 ? found : -found - 1;
        return i < from.length ? from[i] : Long.MAX_VALUE;
    }

    private long coveredBy(long instant) {
        int i = lastBegunBy(instant);
        return i < 0 ? 0 : before[i] + Math.min(instant, until[i]) - from[i];
    }

    private int lastBegunBy(long instant) {
        int found = Arrays.binarySearch(from, instant);
        return found >= 0 ? found : -found - 2;
    }
}
