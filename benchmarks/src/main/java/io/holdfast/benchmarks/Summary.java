// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The turns of every contender, and the table they make. Round {@code i} of one is compared to round {@code i} of another. */
final class Summary {
    private static final double MICRO = 1e3;

    private final Map<String, List<Turn>> turns;

    Summary(Map<String, List<Turn>> turns) {
        this.turns = turns;
    }

    static String header() {
        return """
                | lock | of hand-written | min–max | cycles/s | min–max | p50 µs | p99 µs | p99.9 µs | client CPU µs | server CPU µs | client commands |
                |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|""";
    }

    /** One line of the table. */
    String line(Contender contender, String commands) {
        List<Turn> mine = turnsOf(contender.name());
        List<Double> ratios = ratios(mine, turnsOf(contender.yardstick()));
        List<Double> rates = sorted(mine, Turn::cyclesPerSecond);
        Histogram latencies = new Histogram(3);
        mine.forEach(turn -> latencies.add(turn.latencies()));
        return String.format(
                Locale.ROOT,
                "| %s | %.3f | %.2f–%.2f | %,.0f | %,.0f–%,.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %s |",
                contender.name(),
                median(ratios),
                ratios.get(0),
                ratios.get(ratios.size() - 1),
                median(rates),
                rates.get(0),
                rates.get(rates.size() - 1),
                latencies.getValueAtPercentile(50) / MICRO,
                latencies.getValueAtPercentile(99) / MICRO,
                latencies.getValueAtPercentile(99.9) / MICRO,
                median(sorted(mine, Turn::clientMicros)),
                median(sorted(mine, Turn::serverMicros)),
                commands);
    }

    static double median(List<Double> sorted) {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private List<Turn> turnsOf(String name) {
        return turns.getOrDefault(name, List.of());
    }

    /** Round by round: noise that lasts longer than a round falls on both sides of each. */
    private static List<Double> ratios(List<Turn> mine, List<Turn> yardstick) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < mine.size(); i++) {
            ratios.add(mine.get(i).cyclesPerSecond() / yardstick.get(i).cyclesPerSecond());
        }
        return ratios.stream().sorted().toList();
    }

    private static List<Double> sorted(List<Turn> all, ToDoubleFunction<Turn> figure) {
        return all.stream().mapToDouble(figure).sorted().boxed().toList();
    }
}
