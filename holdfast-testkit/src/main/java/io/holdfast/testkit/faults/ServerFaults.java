// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.RawRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a real server misbehave: each method brings about one trouble and returns once it is in force; {@link #mend()} ends
 * all that last. Uses a connection of its own, which it opens anew when it broke. Thread-safe.
 *
 * <p>What is not here {@link EmbeddedRedis} does itself: {@code pause()} freezes the process, {@code kill()} crashes it.
 */
public final class ServerFaults implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(2);

    private final EmbeddedRedis server;

    // Guarded by this.
    private final Map<String, String> settingsBefore = new LinkedHashMap<>();
    private @Nullable RawRedis connection;
    private @Nullable Path savesBlockedBy;
    private boolean replica;

    private ServerFaults(EmbeddedRedis server) {
        this.server = server;
    }

    /** For a server that is running. Does not close it. */
    public static ServerFaults of(EmbeddedRedis server) {
        return new ServerFaults(server);
    }

    /** No command is answered for that long; it ends by itself only. */
    public void pauseCommands(Duration time) {
        ask("CLIENT", "PAUSE", Long.toString(time.toMillis()), "ALL");
    }

    /** No command that may write is answered for that long, nor any script. */
    public void pauseWrites(Duration time) {
        ask("CLIENT", "PAUSE", Long.toString(time.toMillis()), "WRITE");
    }

    /** Closes all connections that carry commands, but its own. */
    public void killConnections() {
        ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }

    /** Closes all connections that listen on a channel. */
    public void killSubscriptions() {
        ask("CLIENT", "KILL", "TYPE", "pubsub");
    }

    /** Forgets all scripts, as a new primary does not know them. */
    public void forgetScripts() {
        ask("SCRIPT", "FLUSH");
    }

    /** Forgets all data. */
    public void flush() {
        ask("FLUSHALL");
    }

    /** Deletes a key, as an administrator might. */
    public void delete(String key) {
        ask("DEL", key);
    }

    /** Whether the server has a key, for instance still, or again, after a restart. */
    public boolean has(String key) {
        return Long.valueOf(1).equals(ask("EXISTS", key));
    }

    /** From now on there is more in memory than allowed; what happens then is the policy, such as {@code noeviction}. */
    public void fillMemory(String policy) {
        set("maxmemory-policy", policy);
        set("maxmemory", "1");
    }

    /** Any setting that the server takes while it runs. */
    public synchronized void set(String name, String value) {
        List<?> before = (List<?>) Objects.requireNonNull(ask("CONFIG", "GET", name));
        if (before.size() < 2) {
            throw new IllegalArgumentException("the server has no setting " + name);
        }
        ask("CONFIG", "SET", name, value);
        settingsBefore.putIfAbsent(name, String.valueOf(before.get(1)));
    }

    /** Runs a script that never ends: other commands are answered with {@code BUSY}. */
    public synchronized void runEndlessScript() {
        set("lua-time-limit", "10");
        RawRedis caller = connect();
        Thread thread = new Thread(() -> evaluateForEver(caller), "holdfast-endless-script");
        thread.setDaemon(true);
        thread.start();
        until(this::isBusy, "the server is busy");
    }

    private static void evaluateForEver(RawRedis caller) {
        try (caller) {
            caller.call("EVAL", "while true do end", "0");
        } catch (RawRedis.ErrorReply | UncheckedIOException e) {
            // Killed; or the caller has lost its patience, and the script goes on without it.
            return;
        }
    }

    /** Makes a replica of it, of a primary that is nowhere: writes are answered with {@code READONLY}. */
    public synchronized void becomeReplica() {
        ask("REPLICAOF", "127.0.0.1", "1");
        replica = true;
    }

    /** Writes are answered with {@code NOREPLICAS}: fewer replicas are there than required. */
    public void requireReplicas() {
        set("min-replicas-to-write", "1");
    }

    /** Writes are answered with {@code MISCONF}: the last snapshot could not be written. */
    public synchronized void failSnapshots() {
        Path snapshot = folder().resolve("dump.rdb");
        try {
            // In the way of the finished file. A folder that may not be written would not stop a server that runs as
            // root,
            // and the server's own folder is not to be changed while it runs since Redis 7.
            Folders.delete(snapshot);
            Files.createDirectories(snapshot.resolve("in-the-way"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot block " + snapshot, e);
        }
        savesBlockedBy = snapshot;
        set("stop-writes-on-bgsave-error", "yes");
        set("save", "3600 1");
        ask("BGSAVE");
        until(() -> isSnapshot("err"), "a snapshot fails");
    }

    /** So many more connections than there are now are accepted; others are told that there are too many. */
    public void limitConnections(int more) {
        set("maxclients", Integer.toString(clients() + more));
    }

    /** Kills it and starts it again, with what it had persisted. */
    public void restart() {
        server.restart();
    }

    /** Kills it and starts it again without its data, whatever it had persisted. */
    public void restartEmpty() {
        restartAfter(folder -> {
            Folders.delete(folder.resolve("dump.rdb"));
            Folders.delete(folder.resolve("appendonly.aof"));
            Folders.delete(folder.resolve("appendonlydir"));
        });
    }

    /** As a loss of power: kills it, cuts so many bytes off the end of its append-only file, and starts it again. */
    public void restartWithoutLastBytes(long count) {
        restartAfter(folder -> AppendOnlyFile.in(folder).cutBytes(count));
    }

    /** The same by commands; what a script or a transaction wrote is one of them. */
    public void restartWithoutLastCommands(int count) {
        restartAfter(folder -> AppendOnlyFile.in(folder).cutCommands(count));
    }

    /** Ends all that this object has done to the server and that lasts; data stay lost. */
    public synchronized void mend() {
        if (isBusy()) {
            ask("SCRIPT", "KILL");
            until(() -> !isBusy(), "the script is killed");
        }
        if (replica) {
            ask("REPLICAOF", "NO", "ONE");
            replica = false;
        }
        Path blocked = savesBlockedBy;
        if (blocked != null) {
            Folders.delete(blocked);
            ask("BGSAVE");
            until(() -> isSnapshot("ok"), "a snapshot is written");
            savesBlockedBy = null;
        }
        settingsBefore.forEach((name, value) -> ask("CONFIG", "SET", name, value));
        settingsBefore.clear();
    }

    /** Closes its connection; troubles last. */
    @Override
    public synchronized void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    private interface Damage {
        void to(Path folder);
    }

    private void restartAfter(Damage damage) {
        Path folder = folder();
        // While a sync is under way the server keeps what is to be appended for up to two seconds: a kill would lose
        // more.
        until(this::isAppended, "what was answered is in the append-only file");
        server.kill();
        damage.to(folder);
        server.restart();
    }

    private Path folder() {
        List<?> answer = (List<?>) Objects.requireNonNull(ask("CONFIG", "GET", "dir"));
        return Path.of(String.valueOf(answer.get(1)));
    }

    private int clients() {
        return String.valueOf(ask("CLIENT", "LIST")).strip().split("\n").length;
    }

    private boolean isBusy() {
        try {
            ask("PING");
            return false;
        } catch (RawRedis.ErrorReply busy) {
            return String.valueOf(busy.getMessage()).startsWith("BUSY");
        }
    }

    private boolean isSnapshot(String status) {
        String info = String.valueOf(ask("INFO", "persistence"));
        return info.contains("rdb_bgsave_in_progress:0") && info.contains("rdb_last_bgsave_status:" + status);
    }

    private boolean isAppended() {
        String info = String.valueOf(ask("INFO", "persistence"));
        return !info.contains("aof_enabled:1") || info.contains("aof_buffer_length:0\r");
    }

    /** Once more over a new connection when the old one broke, as it does with every restart. */
    private synchronized @Nullable Object ask(String... words) {
        RawRedis open = connection;
        if (open != null) {
            try {
                return open.call(words);
            } catch (UncheckedIOException e) {
                open.close();
            }
        }
        RawRedis fresh = connect();
        connection = fresh;
        return fresh.call(words);
    }

    private RawRedis connect() {
        RawRedis fresh = new RawRedis(server.host(), server.port());
        String password = RedisAddress.parse(server.uri()).password();
        if (password != null) {
            fresh.call("AUTH", password);
        }
        return fresh;
    }

    private static void until(BooleanSupplier condition, String what) {
        long giveUpAt = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - giveUpAt > 0) {
                throw new IllegalStateException("waited for " + PATIENCE + " in vain until " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
