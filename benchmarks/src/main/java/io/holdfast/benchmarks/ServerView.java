// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** What the server says of itself, over a connection that no contender uses. Not thread-safe. */
final class ServerView implements AutoCloseable {
    private static final Pattern CPU = Pattern.compile("(?m)^used_cpu_(?:user|sys):([0-9.]+)");
    private static final Pattern CALLS = Pattern.compile("(?m)^cmdstat_([^:|]+)[^:]*:calls=(\\d+)");

    private final RedisAddress server;
    private final Connection connection;

    ServerView(RedisAddress server) {
        this.server = server;
        this.connection = new Connection(server.host(), server.port());
    }

    /** CPU time the server's process has used so far. */
    double cpuMicros() {
        Matcher line = CPU.matcher(info("cpu"));
        double seconds = 0;
        while (line.find()) {
            seconds += Double.parseDouble(line.group(1));
        }
        return seconds * 1e6;
    }

    /** How often each command was called so far, by clients and by scripts; by the name of the command alone. */
    Map<String, Long> calls() {
        Map<String, Long> calls = new HashMap<>();
        Matcher line = CALLS.matcher(info("commandstats"));
        while (line.find()) {
            calls.merge(line.group(1), Long.valueOf(line.group(2)), Long::sum);
        }
        return calls;
    }

    /** How many clients are connected, this one aside. */
    long connections() {
        connection.sendCommand(Command.CLIENT, "LIST");
        return connection.getBulkReply().lines().count() - 1;
    }

    /** Deletes all keys. Scripts stay. */
    void clear() {
        connection.sendCommand(Command.FLUSHALL);
        connection.getStatusCodeReply();
    }

    /** Listens in on all commands from now on. */
    CommandTap tap() {
        return new CommandTap(new Connection(server.host(), server.port()));
    }

    @Override
    public void close() {
        connection.close();
    }

    private String info(String section) {
        connection.sendCommand(Command.INFO, section);
        return connection.getBulkReply();
    }
}
