// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The options of {@code ./holdfast bench}. */
@Command(
        name = "holdfast bench",
        description = {
            "Measures Holdfast beside Redisson, Spring Integration and hand-written locks, in turn on one real server,"
                    + " with real processes. A whole run takes about half an hour and writes docs/benchmarks.md and its"
                    + " charts; any other prints what it found.",
            ""
        })
final class BenchCommand implements Callable<Integer> {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(names = "--quick", description = "Everything once and briefly, in less than two minutes.")
    private boolean quick;

    @Option(
            names = "--scenario",
            split = ",",
            paramLabel = "NAME",
            description = "Only these: ${COMPLETION-CANDIDATES}.")
    private List<Scenario> scenarios = new ArrayList<>();

    @Option(
            names = "--contender",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Only these: ${COMPLETION-CANDIDATES}. The last one does not lock at all, and must be found out.")
    private List<Entry> contenders = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each contender; 5, with --quick 1.")
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn; 1, with --quick 0.3.")
    private @Nullable Double seconds;

    @Option(names = "--redis-server", paramLabel = "FILE", description = "Another server executable, Redis or Valkey.")
    private @Nullable Path server;

    @Option(names = "--out", paramLabel = "DIR", description = "Write benchmarks.md and the charts to this folder.")
    private @Nullable Path out;

    @Option(names = "--jmh", description = "Only the paths that never leave the process, with JMH.")
    private boolean jmh;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Runs and ends the JVM with the exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand())
                .registerConverter(Scenario.class, named(Scenario::named))
                .registerConverter(Entry.class, named(Entry::named))
                .setParameterExceptionHandler((wrong, arguments) -> reject(wrong))
                .setExecutionExceptionHandler((failure, line, result) -> {
                    String message = failure.getMessage();
                    line.getErr().println("holdfast: " + (message == null ? failure : message));
                    return ExitCode.SOFTWARE;
                });
    }

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        if (jmh) {
            InMemoryPaths.run();
            return ExitCode.OK;
        }
        Settings settings = settings();
        PrintWriter console = spec.commandLine().getOut();
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder();
        if (server != null) {
            builder.server(server);
        }
        try (EmbeddedRedis redis = builder.start()) {
            Results results = new Bench(settings, console).run(redis);
            String figures = Report.of(settings, new Machine(redis.version()), results);
            console.println("\n" + figures);
            publish(settings, results, figures);
        }
        return ExitCode.OK;
    }

    Settings settings() {
        int times = rounds != null ? rounds : quick ? 1 : 5;
        double length = seconds != null ? seconds : quick ? 0.3 : 1;
        if (times < 1 || !(length > 0) || length > 600) {
            throw new ParameterException(
                    spec.commandLine(), "--rounds must be 1 or more, and --seconds more than 0 and at most 600");
        }
        Duration turn = Duration.ofNanos((long) (length * 1e9));
        Duration warmUp = quick ? Duration.ofMillis(200) : Duration.ofMillis(700);
        List<Scenario> chosen = scenarios.isEmpty() ? List.of(Scenario.values()) : List.copyOf(scenarios);
        return new Settings(chosen, List.copyOf(contenders), times, new Team.Pace(warmUp, turn), quick);
    }

    /** A run that leaves things out must not replace one that doesn't, unless it is told where to go. */
    private void publish(Settings settings, Results results, String figures) throws IOException {
        String docs = System.getProperty("holdfast.docs");
        Path folder = out != null ? out : settings.isComplete() && docs != null ? Path.of(docs) : null;
        if (folder != null) {
            String charts = Charts.draw(results, folder.resolve("benchmarks"));
            Document.update(folder.resolve("benchmarks.md"), figures + "\n" + charts);
            spec.commandLine().getOut().println("written: " + folder.resolve("benchmarks.md"));
        }
    }

    private static int reject(ParameterException wrong) {
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println("holdfast: " + wrong.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            err.println("Try 'holdfast bench --help'");
        }
        err.flush();
        return ExitCode.USAGE;
    }

    private static <T> ITypeConverter<T> named(Function<String, T> finder) {
        return text -> {
            try {
                return finder.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        };
    }
}
