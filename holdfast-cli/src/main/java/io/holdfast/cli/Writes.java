// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.cli.Event.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fenced writes to one lock's value, and whether a stale one got through. */
final class Writes {
    private record Accepted(long token, long begunAt, long doneAt) {}

    private Writes() {}

    /**
     * How many writes were accepted although one with a higher token had been accepted, and answered, before they began.
     * Of two writes under way at the same time the store may take either first, so those are never stale.
     */
    static long staleAccepted(List<Event> eventsOfOneLock) {
        List<Accepted> begun = accepted(eventsOfOneLock);
        begun.sort(Comparator.comparingLong(Accepted::begunAt));
        List<Accepted> done = new ArrayList<>(begun);
        done.sort(Comparator.comparingLong(Accepted::doneAt));
        long stale = 0;
        long highest = Long.MIN_VALUE;
        int next = 0;
        for (Accepted write : begun) {
            while (next < done.size() && done.get(next).doneAt < write.begunAt) {
                highest = Math.max(highest, done.get(next++).token);
            }
            if (write.token < highest) {
                stale++;
            }
        }
        return stale;
    }

    private static List<Accepted> accepted(List<Event> events) {
        Map<Long, Long> begunByPid = new HashMap<>();
        List<Accepted> accepted = new ArrayList<>();
        for (Event event : events) {
            if (event.kind() == Kind.WRITING) {
                begunByPid.put(event.pid(), event.nanos());
            } else if (event.kind() == Kind.WRITTEN) {
                long begunAt = begunByPid.getOrDefault(event.pid(), event.nanos());
                accepted.add(new Accepted(event.token(), begunAt, event.nanos()));
            }
        }
        return accepted;
    }
}
