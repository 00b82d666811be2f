// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.cli.Cleanup;
import io.holdfast.cli.CommandFailure;
import io.holdfast.cli.Main;
import io.holdfast.cli.Options;
import io.holdfast.cli.Screen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads the options of a {@link Torture}. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Starts a real server behind a bad network and worker processes on both connectors, which take locks in every"
                    + " way there is; lets one fault after the other strike them all; and proves from the workers' own"
                    + " records which lines of the promise held.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Every line held.",
            "1:At least one did not; the records are kept, and the seed repeats the faults.",
            "2:The command line is wrong, or the machine did not play along."
        })
public final class TortureCommand implements Callable<Integer> {
    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "2",
            description = "How long faults strike, 0.1 to 600; default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(names = "--seed", paramLabel = "N", description = "Repeats the faults of an earlier run.")
    private @Nullable Long seed;

    @Option(
            names = "--faults",
            paramLabel = "NAME",
            split = ",",
            description = "Only these, separated by commas; default: all. '--faults list' shows their names.")
    private List<String> faults = List.of();

    @Option(
            names = "--redis-server",
            paramLabel = "PATH",
            description = "Another server executable, Redis or Valkey; default: the embedded Redis.")
    private @Nullable Path server;

    @Option(
            names = "--connector",
            paramLabel = "NAME",
            defaultValue = "both",
            description = "jedis, lettuce or both; default: ${DEFAULT-VALUE}.")
    private String connector = "both";

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "4",
            description = "Worker processes, 2 to 16; default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(
            names = "--slack",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seconds that a busy machine may add to any bound on time, 0.1 to 60; default:"
                    + " ${DEFAULT-VALUE}. Overlaps and stale writes know none.")
    private double slack;

    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = "Keep the records in this folder, which must be empty or new; default: only after a failure.")
    private @Nullable Path history;

    @Option(names = "--skip-locks", hidden = true, description = "Break mutual exclusion, to see the verdict find it.")
    private boolean skipLocks;

    /** For picocli. */
    public TortureCommand() {}

    @Override
    public Integer call() {
        Screen screen = Screen.standard();
        if (faults.equals(List.of("list"))) {
            Ordeal.all().forEach(ordeal -> screen.say(String.format("%-20s %s", ordeal.label(), ordeal.words())));
            return 0;
        }
        Options.within("--minutes", minutes, 0.1, 600);
        Options.within("--workers", workers, 2, 16);
        Options.within("--slack", slack, 0.1, 60);
        Torture.Settings settings = new Torture.Settings(
                chosenOrdeals(),
                Duration.ofMillis(Math.round(minutes * 60_000)),
                seed != null ? seed : new SplittableRandom().nextInt(1_000_000),
                chosenConnectors(),
                workers,
                Duration.ofMillis(Math.round(slack * 1_000)),
                server,
                history,
                skipLocks);
        Outcome outcome;
        try (Cleanup cleanup = new Cleanup()) {
            outcome = new Torture(settings, screen, cleanup).run();
        }
        screen.leaveTable();
        outcome.lines().forEach(screen::say);
        return outcome.holds() ? 0 : 1;
    }

    private List<Ordeal> chosenOrdeals() {
        if (faults.isEmpty()) {
            return Ordeal.all();
        }
        List<Ordeal> chosen = new ArrayList<>();
        for (String name : faults) {
            chosen.add(Ordeal.byLabel(name.strip())
                    .orElseThrow(() -> new CommandFailure(
                            "--faults: there is no fault '" + name + "'; there are: " + Ordeal.labels(), null)));
        }
        return chosen;
    }

    private List<String> chosenConnectors() {
        return switch (connector) {
            case "both" -> List.of("jedis", "lettuce");
            case "jedis", "lettuce" -> List.of(connector);
            default ->
                throw new CommandFailure("--connector must be jedis, lettuce or both, was '" + connector + "'", null);
        };
    }
}
