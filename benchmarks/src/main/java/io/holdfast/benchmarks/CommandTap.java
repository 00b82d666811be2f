// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/** {@code MONITOR}: which commands come from clients and which from scripts, until it is closed. */
final class CommandTap implements AutoCloseable {
    /** A script's command says {@code lua} where a client's has an address. */
    private static final Pattern LINE = Pattern.compile("^\\S+ \\[\\d+ (\\S+)] \"([^\"]*)\"");

    private final Connection connection;
    private final Thread reader = new Thread(this::read, "command tap");
    private final Map<String, Origin> seen = new ConcurrentHashMap<>();

    /** How often a command came from where. */
    record Origin(long fromClients, long fromScripts) {
        Origin plus(Origin other) {
            return new Origin(fromClients + other.fromClients, fromScripts + other.fromScripts);
        }
    }

    CommandTap(Connection connection) {
        this.connection = connection;
        connection.sendCommand(Command.MONITOR);
        connection.getStatusCodeReply();
        reader.setDaemon(true);
        reader.start();
    }

    /** Whether it came by that command already. */
    boolean seen(String command) {
        return seen.containsKey(command);
    }

    /** Stops, and gives what was seen. */
    Map<String, Origin> stop() {
        connection.close();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return seen;
    }

    @Override
    public void close() {
        stop();
    }

    private void read() {
        try {
            while (true) {
                Matcher line = LINE.matcher(connection.getStatusCodeReply());
                if (line.find()) {
                    Origin origin = line.group(1).equals("lua") ? new Origin(0, 1) : new Origin(1, 0);
                    seen.merge(line.group(2).toLowerCase(Locale.ROOT), origin, Origin::plus);
                }
            }
        } catch (JedisException e) {
            // closed here; or slow, and cut off by the server
        }
    }
}
