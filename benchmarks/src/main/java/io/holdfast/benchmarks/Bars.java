// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static io.holdfast.benchmarks.Entry.*;

import io.holdfast.benchmarks.Statistics.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** What Holdfast has set out to reach, beside what it reached. Bars of what was not measured are left out. */
final class Bars {
    private static final List<Entry> BOTH = List.of(HOLDFAST_JEDIS, HOLDFAST_LETTUCE);

    private final Results results;
    private final List<Bar> bars = new ArrayList<>();

    /**
     * One of them.
     *
     * @param demand what is to be reached
     * @param measured and what was
     */
    record Bar(Runner runner, String demand, String measured, boolean met) {}

    /** Who, in what. */
    record Runner(Scenario scenario, Entry entry) {}

    private Bars(Results results) {
        this.results = results;
    }

    static List<Bar> of(Results results) {
        Bars all = new Bars(results);
        all.ownLocks();
        all.oneLock();
        all.special();
        all.held();
        all.firstGrant();
        return all.bars.stream()
                .sorted(Comparator.comparing((Bar bar) -> bar.runner().scenario())
                        .thenComparing(bar -> bar.runner().entry()))
                .toList();
    }

    private void ownLocks() {
        times(at(Scenario.OWN_1, HOLDFAST_JEDIS), HAND_JEDIS, 0.95);
        times(at(Scenario.OWN_1, HOLDFAST_LETTUCE), HAND_LETTUCE, 0.95);
        times(at(Scenario.OWN_1, HOLDFAST_JEDIS), REDISSON, 1.3);
        for (Entry entry : BOTH) {
            // A little more, for what a client sends on its own now and then.
            most(at(Scenario.OWN_1, entry), "2 client commands", 2.05, Turn::commands);
        }
        times(at(Scenario.OWN_32, HOLDFAST_JEDIS), HAND_JEDIS, 0.9);
        times(at(Scenario.OWN_32, HOLDFAST_LETTUCE), HAND_LETTUCE, 0.9);
        times(at(Scenario.OWN_32, HOLDFAST_JEDIS_UNFENCED), HAND_JEDIS, 0.98);
        times(at(Scenario.OWN_32, HOLDFAST_LETTUCE_UNFENCED), HAND_LETTUCE, 0.98);
        BOTH.forEach(entry -> times(at(Scenario.OWN_32, entry), REDISSON, 3.5));
    }

    private void oneLock() {
        for (Entry entry : BOTH) {
            times(at(Scenario.ONE_16, entry), REDISSON, 50);
            longestWait(at(Scenario.ONE_16, entry), 50);
            times(at(Scenario.TWO_BY_ONE, entry), REDISSON, 3);
            times(at(Scenario.FOUR_BY_FOUR, entry), REDISSON, 50);
            p99(at(Scenario.FOUR_BY_FOUR, entry), 1.0 / 15);
            jain(at(Scenario.FOUR_BY_FOUR, entry));
            most(at(Scenario.FOUR_BY_FOUR, entry), "≤ 0.5 client commands", 0.5, Turn::commands);
            times(at(Scenario.EIGHT_BY_EIGHT, entry), REDISSON, 100);
            jain(at(Scenario.EIGHT_BY_EIGHT, entry));
            longestWait(at(Scenario.EIGHT_BY_EIGHT, entry), 500);
        }
    }

    private void special() {
        times(at(Scenario.FAIR, HOLDFAST_JEDIS_FAIR), REDISSON_FAIR, 10);
        times(at(Scenario.FAIR, HOLDFAST_LETTUCE_FAIR), REDISSON_FAIR, 10);
        times(at(Scenario.RETAINED, HOLDFAST_JEDIS_RETAINED), REDISSON, 500);
        times(at(Scenario.RETAINED, HOLDFAST_LETTUCE_RETAINED), REDISSON, 500);
        for (Entry entry : BOTH) {
            Runner runner = at(Scenario.SECTION, entry);
            String demand = "≥ 900 of the ideal 1,000 sections/s";
            race(runner, demand, spread(runner, Turn::perSecond), rate -> rate >= 900);
        }
    }

    private void held() {
        results.held().forEach((entry, held) -> {
            Runner runner = at(Scenario.HELD, entry);
            String lost = String.format(Locale.ROOT, "%d of %,d", held.lost(), held.leases());
            bars.add(new Bar(runner, "no lease lost", lost, held.lost() == 0));
            bars.add(new Bar(runner, "≤ 400 B heap per lease", Units.number(held.bytes()), held.bytes() <= 400));
            String share = Units.number(100 * held.cpuShare()) + " %";
            bars.add(new Bar(runner, "client CPU < 10 % of a core", share, held.cpuShare() < 0.1));
        });
    }

    private void firstGrant() {
        BOTH.stream().filter(results.firstGrants()::containsKey).forEach(entry -> {
            Runner runner = at(Scenario.FIRST_GRANT, entry);
            double ratio = median(entry, FirstGrant::millis) / median(REDISSON, FirstGrant::millis);
            if (Double.isFinite(ratio)) {
                bars.add(new Bar(runner, "≤ 1/3 of redisson's time", Units.number(ratio), ratio <= 1.0 / 3));
            }
            double threads = median(entry, FirstGrant::threads);
            bars.add(new Bar(runner, "≤ 15 threads", Units.number(threads), threads <= 15));
            double connections = median(entry, FirstGrant::connections);
            bars.add(new Bar(runner, "≤ 4 connections", Units.number(connections), connections <= 4));
        });
    }

    private void times(Runner runner, Entry yardstick, double factor) {
        String demand = "≥ " + (factor < 10 ? Double.toString(factor) : Units.number(factor)) + " × " + yardstick;
        race(runner, demand, results.ratio(runner.scenario(), runner.entry(), yardstick), ratio -> ratio >= factor);
    }

    private void most(Runner runner, String demand, double limit, ToDoubleFunction<Turn> figure) {
        race(runner, demand, spread(runner, figure), value -> value <= limit);
    }

    private void jain(Runner runner) {
        race(runner, "Jain ≥ 0.9 between processes", spread(runner, Turn::jain), value -> value >= 0.9);
    }

    /** Of all rounds: one wait that is too long is one too many. */
    private void longestWait(Runner runner, double millis) {
        double longest = waits(runner).getMaxValue() / 1e6;
        String demand = "no wait over " + Units.number(millis) + " ms";
        race(runner, demand, new Spread(longest, longest, longest), value -> value <= millis);
    }

    private void p99(Runner runner, double part) {
        double theirs = waits(at(runner.scenario(), REDISSON)).getValueAtPercentile(99);
        double ratio = waits(runner).getValueAtPercentile(99) / theirs;
        String demand = "p99 wait ≤ 1/" + Math.round(1 / part) + " of redisson's";
        race(runner, demand, new Spread(ratio, ratio, ratio), value -> value <= part);
    }

    private void race(Runner runner, String demand, Spread measured, Predicate<Double> met) {
        boolean missing = !results.turns(runner.scenario()).containsKey(runner.entry());
        if (missing || !Double.isFinite(measured.median())) {
            return;
        }
        long overlaps = results.overlaps(runner.scenario(), runner.entry());
        String text = Units.spread(measured) + (overlaps == 0 ? "" : ", but " + overlaps + " overlaps");
        bars.add(new Bar(runner, demand, text, overlaps == 0 && met.test(measured.median())));
    }

    private static Runner at(Scenario scenario, Entry entry) {
        return new Runner(scenario, entry);
    }

    private Spread spread(Runner runner, ToDoubleFunction<Turn> figure) {
        return results.spread(runner.scenario(), runner.entry(), figure);
    }

    private Histogram waits(Runner runner) {
        return results.waits(runner.scenario(), runner.entry());
    }

    private double median(Entry entry, ToDoubleFunction<FirstGrant> figure) {
        List<FirstGrant> all = results.firstGrants().getOrDefault(entry, List.of());
        return Statistics.spread(all.stream().mapToDouble(figure)).median();
    }
}
