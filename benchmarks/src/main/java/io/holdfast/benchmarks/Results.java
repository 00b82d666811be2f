// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Statistics.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** All that a run brought to light. Not thread-safe. */
final class Results {
    private final Map<Scenario, Map<Entry, List<Turn>>> turns = new EnumMap<>(Scenario.class);
    private final Map<Entry, HeldLeases> held = new EnumMap<>(Entry.class);
    private final Map<Entry, List<FirstGrant>> firstGrants = new EnumMap<>(Entry.class);
    private final List<String> remarks = new ArrayList<>();

    void add(Scenario scenario, Entry entry, Turn turn) {
        turnsByEntry(scenario).computeIfAbsent(entry, key -> new ArrayList<>()).add(turn);
    }

    void add(Entry entry, HeldLeases figures) {
        held.put(entry, figures);
    }

    void add(Entry entry, FirstGrant figures) {
        firstGrants.computeIfAbsent(entry, key -> new ArrayList<>()).add(figures);
    }

    /** Forgets the turns of one that failed: rounds are compared one by one, so none may be missing. */
    void drop(Scenario scenario, Entry entry, String why) {
        turnsByEntry(scenario).remove(entry);
        remark(scenario + ", " + entry + ": " + why);
    }

    void remark(String text) {
        remarks.add(text);
    }

    List<String> remarks() {
        return remarks;
    }

    Map<Entry, List<Turn>> turns(Scenario scenario) {
        return turnsByEntry(scenario);
    }

    Map<Entry, HeldLeases> held() {
        return held;
    }

    Map<Entry, List<FirstGrant>> firstGrants() {
        return firstGrants;
    }

    Spread spread(Scenario scenario, Entry entry, ToDoubleFunction<Turn> figure) {
        return Statistics.spread(rounds(scenario, entry).stream().mapToDouble(figure));
    }

    /** All rounds together: a percentile of few figures would be a matter of luck. */
    Histogram waits(Scenario scenario, Entry entry) {
        return Share.merge(rounds(scenario, entry).stream().map(Turn::waits).toList());
    }

    /** Round by round: noise that lasts longer than a round falls on both sides of each. */
    Spread ratio(Scenario scenario, Entry entry, Entry yardstick) {
        List<Turn> mine = rounds(scenario, entry);
        List<Turn> theirs = rounds(scenario, yardstick);
        return Statistics.spread(IntStream.range(0, Math.min(mine.size(), theirs.size()))
                .mapToDouble(i -> mine.get(i).perSecond() / theirs.get(i).perSecond()));
    }

    long overlaps(Scenario scenario, Entry entry) {
        return rounds(scenario, entry).stream().mapToLong(Turn::overlaps).sum();
    }

    private List<Turn> rounds(Scenario scenario, Entry entry) {
        return turnsByEntry(scenario).getOrDefault(entry, List.of());
    }

    private Map<Entry, List<Turn>> turnsByEntry(Scenario scenario) {
        return turns.computeIfAbsent(scenario, key -> new LinkedHashMap<>());
    }
}
