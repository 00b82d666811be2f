// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a lock that nobody else wants costs: acquire and release, each thread on a lock of its own, beside a hand-written
 * lock on the same client and server.
 *
 * <p>Contenders take turns, in an order that moves on by one each round, and each is compared to its yardstick within the
 * round. On a machine with other work to do nothing else means anything.
 */
public final class UncontendedBenchmark {
    private static final int COUNTED_CYCLES = 200;

    private final Settings settings;
    private final PrintStream out;

    private UncontendedBenchmark(Settings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /** Runs on the embedded server, then on the one that {@code HOLDFAST_BENCH_SERVER} names, if it does. */
    public static void main(String[] args) {
        UncontendedBenchmark benchmark = new UncontendedBenchmark(Settings.parse(args), System.out);
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            benchmark.run(server);
        }
        String newer = System.getenv("HOLDFAST_BENCH_SERVER");
        if (newer != null && !newer.isBlank()) {
            try (EmbeddedRedis server =
                    EmbeddedRedis.builder().server(Path.of(newer)).start()) {
                benchmark.run(server);
            }
        }
    }

    private void run(EmbeddedRedis server) {
        List<Contender> contenders = contenders(server);
        try (ServerView view = new ServerView(server)) {
            Map<String, String> commands = new LinkedHashMap<>();
            for (Contender contender : contenders) {
                commands.put(contender.name(), commandsPerCycle(contender, view));
            }
            for (int threads : settings.threads()) {
                Summary summary = new Summary(measure(contenders, threads, view));
                out.printf(
                        "%n%s, %d thread(s), %d rounds of %.1f s%n%n%s%n",
                        server.version(),
                        threads,
                        settings.rounds(),
                        settings.turn().toMillis() / 1e3,
                        Summary.header());
                contenders.forEach(contender ->
                        out.println(summary.line(contender, commands.getOrDefault(contender.name(), "not counted"))));
            }
        } finally {
            contenders.forEach(Contender::close);
        }
    }

    static List<Contender> contenders(EmbeddedRedis server) {
        RedisAddress address = RedisAddress.parse(server.uri());
        String jedis = HandWrittenJedis.NAME;
        String lettuce = HandWrittenLettuce.NAME;
        return List.of(
                new HandWrittenJedis(server),
                new HoldfastContender("Jedis", jedis, JedisConnector.connect(address), true),
                new HoldfastContender("Jedis", jedis, JedisConnector.connect(address), false),
                new HandWrittenLettuce(server),
                new HoldfastContender("Lettuce", lettuce, LettuceConnector.connect(address), true),
                new HoldfastContender("Lettuce", lettuce, LettuceConnector.connect(address), false));
    }

    /** Counted apart, because a server that tells each command to a monitor is slower. */
    private static String commandsPerCycle(Contender contender, ServerView view) {
        contender.cycle("warm-up"); // connects, loads scripts, and asks once what the server can do
        Map<String, Integer> counts = view.clientCommands(() -> {
            for (int i = 0; i < COUNTED_CYCLES; i++) {
                contender.cycle("counted");
            }
        });
        return counts.entrySet().stream()
                .map(count -> String.format(
                        Locale.ROOT, "%s %.2f", count.getKey(), (double) count.getValue() / COUNTED_CYCLES))
                .collect(Collectors.joining(", "));
    }

    /** Round 0 warms up and does not count. */
    private Map<String, List<Turn>> measure(List<Contender> contenders, int threads, ServerView view) {
        Map<String, List<Turn>> turns = new LinkedHashMap<>();
        List<Contender> order = new ArrayList<>(contenders);
        for (int round = 0; round <= settings.rounds(); round++) {
            for (Contender contender : order) {
                Turn turn = Turn.run(contender, threads, settings.turn(), view);
                if (round > 0) {
                    turns.computeIfAbsent(contender.name(), name -> new ArrayList<>())
                            .add(turn);
                }
            }
            Collections.rotate(order, -1);
        }
        return turns;
    }
}
