// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.Monitor;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the server says of itself, over connections that no contender uses. Not thread-safe. */
final class ServerView implements AutoCloseable {
    private static final Pattern CPU = Pattern.compile("(?m)^used_cpu_(?:user|sys):([0-9.]+)");
    /** A command of a client; those inside a script say {@code lua} where this has an address. */
    private static final Pattern CLIENT_COMMAND = Pattern.compile("^\\S+ \\[\\d+ (?!lua)\\S+] \"([^\"]*)\"");

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EmbeddedRedis server;
    private final RawRedis connection;

    ServerView(EmbeddedRedis server) {
        this.server = server;
        this.connection = new RawRedis(server.host(), server.port());
    }

    /** CPU time the server's main process has used so far. */
    double cpuMicros() {
        Matcher line = CPU.matcher(String.valueOf(connection.call("INFO", "cpu")));
        double seconds = 0;
        while (line.find()) {
            seconds += Double.parseDouble(line.group(1));
        }
        return seconds * 1e6;
    }

    /** Which commands clients send, and how often, while an action runs. Commands inside scripts do not count. */
    Map<String, Integer> clientCommands(Runnable action) {
        try (Monitor monitor = new RawRedis(server.host(), server.port()).monitor()) {
            action.run();
            connection.call("ECHO", "the end");
            Map<String, Integer> counts = new TreeMap<>();
            for (String line : untilEnd(monitor.lines())) {
                Matcher command = CLIENT_COMMAND.matcher(line);
                if (command.find()) {
                    counts.merge(command.group(1), 1, Integer::sum);
                }
            }
            return counts;
        }
    }

    /** Lines arrive shortly after the replies of their commands. */
    private static List<String> untilEnd(List<String> lines) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (until - System.nanoTime() > 0) {
            List<String> seen = List.copyOf(lines);
            if (!seen.isEmpty() && seen.get(seen.size() - 1).endsWith("\"the end\"")) {
                return seen.subList(0, seen.size() - 1);
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("MONITOR did not show the last command");
    }

    @Override
    public void close() {
        connection.close();
    }
}
