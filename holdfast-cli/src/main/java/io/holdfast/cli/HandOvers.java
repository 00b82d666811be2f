// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Event;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long it took from the moment a holder began to release a lock until somebody who was waiting by then had it. A
 * grant to somebody who came later is no hand-over: nobody waited for it. Not thread-safe.
 */
final class HandOvers {
    private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
    private final Map<Long, Long> waitingSince = new HashMap<>();
    private long leftAt = Long.MIN_VALUE;

    /** Those of one lock, from its events in any order. */
    static Histogram of(List<Event> eventsOfOneLock) {
        HandOvers handOvers = new HandOvers();
        eventsOfOneLock.stream().sorted(Comparator.comparingLong(Event::nanos)).forEach(handOvers::accept);
        return handOvers.nanos;
    }

    Histogram nanos() {
        return nanos;
    }

    /** Takes the next event of this lock, by time. */
    void accept(Event event) {
        switch (event.kind()) {
            case INVOKED -> waitingSince.put(event.pid(), event.nanos());
            case LEFT -> leftAt = event.nanos();
            case GRANTED -> {
                Long since = waitingSince.remove(event.pid());
                if (leftAt != Long.MIN_VALUE && since != null && since < leftAt) {
                    nanos.recordValue(Math.min(event.nanos() - leftAt, nanos.getHighestTrackableValue()));
                }
                leftAt = Long.MIN_VALUE;
            }
            default -> {}
        }
    }

    /** Milliseconds with one digit, or a dash while there is nothing to tell. */
    static String millis(Histogram nanos, double percentile) {
        return nanos.getTotalCount() == 0 ? "-" : Format.millis(nanos.getValueAtPercentile(percentile));
    }
}
