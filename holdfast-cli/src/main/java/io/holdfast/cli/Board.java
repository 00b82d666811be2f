// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The running count of what the workers' histories say. Files are read one after the other, so events wait a moment here
 * and are then taken by time; one that comes later still (from a paused worker) only blurs the display, for the verdict
 * reads everything again. Not thread-safe.
 */
final class Board {
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(300);

    private final PriorityQueue<Event> unsorted = new PriorityQueue<>(Comparator.comparingLong(Event::nanos));
    private final Map<String, HandOvers> handOvers = new HashMap<>();
    private final Map<String, Long> acquisitions = new HashMap<>();
    private long sections;

    void accept(Event event) {
        if (event.kind() == Kind.GRANTED) {
            acquisitions.merge(event.lock(), 1L, Long::sum);
        } else if (event.kind() == Kind.ENTERED) {
            sections++;
        }
        unsorted.add(event);
    }

    void settle(long now) {
        Event oldest = unsorted.peek();
        while (oldest != null && now - oldest.nanos() > MOMENT) {
            handOvers.computeIfAbsent(oldest.lock(), lock -> new HandOvers()).accept(oldest);
            unsorted.remove();
            oldest = unsorted.peek();
        }
    }

    long sections() {
        return sections;
    }

    long acquisitions(String lock) {
        return acquisitions.getOrDefault(lock, 0L);
    }

    Histogram handOvers(String lock) {
        return handOvers.computeIfAbsent(lock, key -> new HandOvers()).nanos();
    }

    Histogram allHandOvers() {
        Histogram all = new HandOvers().nanos();
        handOvers.values().forEach(ofOneLock -> all.add(ofOneLock.nanos()));
        return all;
    }
}
