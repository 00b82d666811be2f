// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Bars.Bar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** A run's results as Markdown: bars, a table per scenario, class paths. */
final class Report {
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9, 100.0);

    private final Settings settings;
    private final Machine machine;
    private final Results results;
    private final StringBuilder text = new StringBuilder();

    private Report(Settings settings, Machine machine, Results results) {
        this.settings = settings;
        this.machine = machine;
        this.results = results;
    }

    static String of(Settings settings, Machine machine, Results results) {
        Report report = new Report(settings, machine, results);
        report.head();
        report.bars();
        settings.scenarios().stream().filter(Scenario::isRace).forEach(report::race);
        report.held();
        report.firstGrants();
        report.classPaths();
        return report.text.toString();
    }

    private void head() {
        line(machine + ".");
        line(String.format(
                Locale.ROOT,
                "%d round(s) of %s s after %s s of warm-up, all contenders in turn on that one server.%s",
                settings.rounds(),
                Units.number(settings.pace().turn().toMillis() / 1e3),
                Units.number(settings.pace().warmUp().toMillis() / 1e3),
                settings.quick() ? " A quick run: it shows that all works, not how fast." : ""));
        line("");
        results.remarks().forEach(remark -> line("- left out: " + remark));
        line("");
    }

    private void bars() {
        List<Bar> bars = Bars.of(results);
        if (bars.isEmpty()) {
            return;
        }
        heading("Bars");
        row("work", "lock", "bar", "measured", "met?");
        line("|---|---|---|---|---|");
        bars.forEach(bar -> row(
                bar.runner().scenario().title(),
                bar.runner().entry(),
                bar.demand(),
                bar.measured(),
                bar.met() ? "yes" : "**no**"));
        line("");
    }

    private void race(Scenario scenario) {
        Map<Entry, List<Turn>> turns = results.turns(scenario);
        if (turns.isEmpty()) {
            return;
        }
        heading(capitalised(scenario.title()));
        row("lock", "per second", "wait p50", "p99", "p99.9", "max", "commands", "server µs", "client µs", "Jain");
        line("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        turns.keySet().stream().sorted().forEach(entry -> line(raceLine(scenario, entry)));
        line("");
    }

    private String raceLine(Scenario scenario, Entry entry) {
        long overlaps = results.overlaps(scenario, entry);
        if (overlaps > 0) {
            return "| " + entry + " | **did not exclude: " + overlaps + " overlaps** |" + " |".repeat(8);
        }
        Histogram waits = results.waits(scenario, entry);
        Stream<String> times = PERCENTILES.stream().map(percent -> Units.time(waits.getValueAtPercentile(percent)));
        return Stream.of(
                        Stream.of(entry.toString()),
                        Stream.of(Units.spread(results.spread(scenario, entry, Turn::perSecond))),
                        times,
                        Stream.of(
                                Units.number(results.spread(scenario, entry, Turn::commands)
                                        .median()),
                                Units.number(results.spread(scenario, entry, Turn::serverMicros)
                                        .median()),
                                Units.number(results.spread(scenario, entry, Turn::clientMicros)
                                        .median()),
                                Units.number(results.spread(scenario, entry, Turn::jain)
                                        .median())))
                .flatMap(cells -> cells)
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private void held() {
        if (results.held().isEmpty()) {
            return;
        }
        heading("Leases held and renewed at TTL 30 s");
        row("lock", "leases", "seconds", "heap B per lease", "client CPU, % of a core", "lost");
        line("|---|--:|--:|--:|--:|--:|");
        results.held()
                .forEach((entry, held) -> row(
                        entry,
                        String.format(Locale.ROOT, "%,d", held.leases()),
                        Units.number(held.seconds()),
                        Units.number(held.bytes()),
                        Units.number(100 * held.cpuShare()),
                        held.lost()));
        line("");
    }

    private void firstGrants() {
        if (results.firstGrants().isEmpty()) {
            return;
        }
        heading(capitalised(Scenario.FIRST_GRANT.title()));
        row("lock", "ms", "threads of the JVM", "connections");
        line("|---|--:|--:|--:|");
        results.firstGrants()
                .forEach((entry, grants) -> row(
                        entry,
                        Units.spread(Statistics.spread(grants.stream().mapToDouble(FirstGrant::millis))),
                        Units.spread(Statistics.spread(grants.stream().mapToDouble(FirstGrant::threads))),
                        Units.spread(Statistics.spread(grants.stream().mapToDouble(FirstGrant::connections)))));
        line("");
    }

    private void classPaths() {
        heading("Class path");
        row("an application that names", "jars", "MB");
        line("|---|--:|--:|");
        Stream.of(Entry.values())
                .map(Entry::artifacts)
                .filter(artifacts -> !artifacts.isEmpty())
                .distinct()
                .forEach(artifacts -> {
                    Footprint footprint = Footprint.of(artifacts);
                    row(String.join(", ", artifacts), footprint.jars().size(), Units.number(footprint.bytes() / 1e6));
                });
    }

    private void heading(String title) {
        line("### " + title + "\n");
    }

    private void row(Object... cells) {
        line(Stream.of(cells).map(String::valueOf).collect(Collectors.joining(" | ", "| ", " |")));
    }

    private void line(String words) {
        text.append(words).append('\n');
    }

    private static String capitalised(String title) {
        return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
    }
}
