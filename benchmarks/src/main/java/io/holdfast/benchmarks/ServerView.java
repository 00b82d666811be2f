// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.embedded.EmbeddedRedis;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** What the server says of itself, over connections that no contender uses. Not thread-safe. */
final class ServerView implements AutoCloseable {
    private static final Pattern CPU = Pattern.compile("(?m)^used_cpu_(?:user|sys):([0-9.]+)");
    /** A command of a client; those inside a script say {@code lua} where this has an address. */
    private static final Pattern CLIENT_COMMAND = Pattern.compile("^\\S+ \\[\\d+ (?!lua)\\S+] \"([^\"]*)\"");

    private static final String END = "the end";

    private final EmbeddedRedis server;
    private final Connection connection;

    ServerView(EmbeddedRedis server) {
        this.server = server;
        this.connection = new Connection(server.host(), server.port());
    }

    /** CPU time the server's process has used so far. */
    double cpuMicros() {
        connection.sendCommand(Command.INFO, "cpu");
        Matcher line = CPU.matcher(connection.getBulkReply());
        double seconds = 0;
        while (line.find()) {
            seconds += Double.parseDouble(line.group(1));
        }
        return seconds * 1e6;
    }

    /**
     * Which commands clients send, and how often, while an action runs. Commands inside scripts do not count. The action
     * must be short: nobody reads what the monitor tells until it is over.
     */
    Map<String, Integer> clientCommands(Runnable action) {
        try (Connection monitor = new Connection(server.host(), server.port())) {
            monitor.sendCommand(Command.MONITOR);
            String line = monitor.getStatusCodeReply();
            action.run();
            connection.sendCommand(Command.ECHO, END);
            connection.getBulkReply();
            Map<String, Integer> counts = new TreeMap<>();
            while (!line.endsWith('"' + END + '"')) {
                Matcher command = CLIENT_COMMAND.matcher(line);
                if (command.find()) {
                    counts.merge(command.group(1), 1, Integer::sum);
                }
                line = monitor.getStatusCodeReply();
            }
            return counts;
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
