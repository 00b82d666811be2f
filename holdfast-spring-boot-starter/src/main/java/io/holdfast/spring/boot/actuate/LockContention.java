// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Counts, since the start, how often callers had to wait for a lock and gave up, by label. Keys are not told apart: there is no
 * end to them. Nor are labels beyond the first {@value #MOST_LABELS}, which then share {@value #OTHERS}. Thread-safe.
 */
public final class LockContention implements LockListener {
    static final String UNLABELLED = "(no label)";
    static final String OTHERS = "(others)";
    static final int MOST_LABELS = 500;

    private final ConcurrentMap<String, Counts> byLabel = new ConcurrentHashMap<>();

    /** Nothing counted yet. */
    public LockContention() {}

    private record Counts(LongAdder contended, LongAdder timedOut) {}

    /**
     * How contended locks of one label have been.
     *
     * @param label the label, such as {@code order:{id}}
     * @param contended how often a caller had to wait
     * @param timedOut how often one gave up, also without having waited
     */
    public record Contended(String label, long contended, long timedOut) {}

    @Override
    public void contended(LockEvent event) {
        counts(event).contended().increment();
    }

    @Override
    public void timedOut(LockEvent event) {
        counts(event).timedOut().increment();
    }

    /** The labels with the most of both together, first. */
    public List<Contended> top(int most) {
        return byLabel.entrySet().stream()
                .map(entry -> new Contended(
                        entry.getKey(),
                        entry.getValue().contended().sum(),
                        entry.getValue().timedOut().sum()))
                .sorted(Comparator.comparingLong((Contended counted) -> counted.contended() + counted.timedOut())
                        .reversed()
                        .thenComparing(Contended::label))
                .limit(most)
                .toList();
    }

    private Counts counts(LockEvent event) {
        String label = event.options().label().orElse(UNLABELLED);
        Counts known = byLabel.get(label);
        if (known != null) {
            return known;
        }
        Function<String, Counts> fresh = unused -> new Counts(new LongAdder(), new LongAdder());
        // Two threads at once may add one more than that: no harm.
        return byLabel.computeIfAbsent(byLabel.size() < MOST_LABELS ? label : OTHERS, fresh);
    }
}
