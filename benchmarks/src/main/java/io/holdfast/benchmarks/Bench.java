// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * One run: every scenario, in each of them every contender, round by round on one server.
 *
 * <p>Contenders take turns, in an order that moves on by one each round. On a machine with other work to do a figure means
 * little, but all contenders of a round have met the same noise.
 */
final class Bench {
    private final Settings settings;
    private final PrintWriter progress;
    private final Results results = new Results();

    Bench(Settings settings, PrintWriter progress) {
        this.settings = settings;
        this.progress = progress;
    }

    Results run(EmbeddedRedis server) throws InterruptedException {
        try (ServerView view = new ServerView(RedisAddress.parse(server.uri()));
                Team team = new Team(server.uri(), view, settings.jvmOptions())) {
            for (Scenario scenario : settings.scenarios()) {
                List<Entry> entries = new ArrayList<>(settings.entries(scenario));
                entries.removeIf(entry -> !isBuilt(scenario, entry));
                if (!entries.isEmpty()) {
                    say("\n" + scenario + ": " + scenario.title());
                }
                if (!scenario.isRace()) {
                    team.dismiss(); // one of them may have left a connection open, which would be counted
                }
                switch (scenario) {
                    case HELD -> hold(entries, server, view);
                    case FIRST_GRANT -> grantFirst(entries, server, view);
                    default -> race(scenario, entries, team);
                }
            }
        }
        return results;
    }

    private boolean isBuilt(Scenario scenario, Entry entry) {
        if (!entry.isBuilt()) {
            results.remark(scenario + ", " + entry + ": not built yet");
        }
        return entry.isBuilt();
    }

    private void race(Scenario scenario, List<Entry> entries, Team team) {
        for (int round = settings.firstRound(scenario); round <= settings.rounds(); round++) {
            for (Entry entry : List.copyOf(entries)) {
                try {
                    Turn turn = team.play(scenario, entry, settings.pace(round));
                    if (round > 0) {
                        results.add(scenario, entry, turn);
                    }
                    say(round(round, entry) + describe(turn));
                } catch (IllegalStateException e) {
                    entries.remove(entry);
                    results.drop(scenario, entry, String.valueOf(e.getMessage()));
                    say(round(round, entry) + "gave up: " + e.getMessage());
                }
            }
            Collections.rotate(entries, -1);
        }
    }

    private void hold(List<Entry> entries, EmbeddedRedis server, ServerView view) {
        for (Entry entry : entries) {
            view.clear();
            HeldLeases held = HeldLeases.measure(server.uri(), entry, settings.leases(), settings.holding());
            results.add(entry, held);
            say(String.format(
                    Locale.ROOT,
                    "  %-31s %,d leases for %.0f s: %.0f B each, %.1f %% of a core, %d lost",
                    entry,
                    held.leases(),
                    held.seconds(),
                    held.bytes(),
                    100 * held.cpuShare(),
                    held.lost()));
        }
        view.clear();
    }

    private void grantFirst(List<Entry> entries, EmbeddedRedis server, ServerView view) throws InterruptedException {
        for (int round = 1; round <= settings.rounds(); round++) {
            for (Entry entry : entries) {
                FirstGrant grant = FirstGrant.measure(server.uri(), entry, view);
                results.add(entry, grant);
                say(round(round, entry)
                        + String.format(
                                Locale.ROOT,
                                "%.0f ms, %d threads, %d connections",
                                grant.millis(),
                                grant.threads(),
                                grant.connections()));
            }
        }
    }

    private String round(int round, Entry entry) {
        String number = round > 0 ? round + "/" + settings.rounds() : "warm";
        return String.format(Locale.ROOT, "  %-5s %-26s ", number, entry);
    }

    private static String describe(Turn turn) {
        Histogram waits = turn.waits();
        String text = String.format(
                Locale.ROOT,
                "%,10.0f/s   wait p50 %s, p99 %s, max %s",
                turn.perSecond(),
                Units.time(waits.getValueAtPercentile(50)),
                Units.time(waits.getValueAtPercentile(99)),
                Units.time(waits.getMaxValue()));
        return turn.overlaps() == 0 ? text : text + "   DID NOT EXCLUDE: " + turn.overlaps() + " overlaps";
    }

    private void say(String line) {
        progress.println(line);
        progress.flush();
    }
}
