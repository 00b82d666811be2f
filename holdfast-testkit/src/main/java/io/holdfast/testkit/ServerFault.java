// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** What keeps a server from answering, or from writing, until it ends: rows 4, 5, 14 and 15 of the matrix of faults. */
enum ServerFault {
    FROZEN("") {
        @Override
        void begin(RedisFixture at) {
            at.server().pause();
        }

        @Override
        void end(RedisFixture at) {
            at.server().resume();
        }
    },
    WRITES_PAUSED("") {
        @Override
        void begin(RedisFixture at) {
            at.raw().call("CLIENT", "PAUSE", "60000", "WRITE");
        }

        @Override
        void end(RedisFixture at) {
            at.raw().call("CLIENT", "UNPAUSE");
        }
    },
    /** A folder stands where the snapshot is to go. */
    SNAPSHOT_FAILED("MISCONF") {
        @Override
        void begin(RedisFixture at) {
            config(at, "save", "3600 1");
            change(() -> Files.createDirectory(snapshot(at)));
            save(at, "err");
        }

        @Override
        void end(RedisFixture at) {
            change(() -> Files.delete(snapshot(at)));
            save(at, "ok");
        }

        private void save(RedisFixture at, String outcome) {
            at.raw().call("BGSAVE");
            until(() -> info(at, "persistence").contains("rdb_bgsave_in_progress:0\r\n")
                    && info(at, "persistence").contains("rdb_last_bgsave_status:" + outcome));
        }
    },
    REPLICAS_MISSING("NOREPLICAS") {
        @Override
        void begin(RedisFixture at) {
            config(at, "min-replicas-to-write", "1");
        }

        @Override
        void end(RedisFixture at) {
            config(at, "min-replicas-to-write", "0");
        }
    },
    SCRIPT_WITHOUT_END("BUSY") {
        @Override
        void begin(RedisFixture at) {
            inTheBackground(at, "EVAL", "while true do end", "0");
        }

        @Override
        void end(RedisFixture at) {
            at.raw().call("SCRIPT", "KILL");
            until(() -> !answer(at).startsWith(word()));
        }
    },
    /** A thousand keys a second. */
    DATA_BEING_LOADED("LOADING") {
        @Override
        void begin(RedisFixture at) {
            at.raw().call("DEBUG", "POPULATE", "10000");
            config(at, "key-load-delay", "1000");
            inTheBackground(at, "DEBUG", "RELOAD");
        }

        @Override
        void end(RedisFixture at) {
            config(at, "key-load-delay", "0");
            until(() -> !answer(at).startsWith(word()));
        }
    },
    /** The test's own client is the one that may stay. */
    CLIENTS_REFUSED("max number of clients") {
        @Override
        void begin(RedisFixture at) {
            config(at, "maxclients", "1");
            at.raw().call("CLIENT", "KILL", "TYPE", "pubsub");
            at.raw().call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }

        @Override
        void end(RedisFixture at) {
            config(at, "maxclients", "1000");
        }
    };

    private final String word;

    ServerFault(String word) {
        this.word = word;
    }

    /** A server these can befall. */
    static EmbeddedRedis start(EmbeddedRedisBuilder builder) {
        return builder.setting("lua-time-limit", "20")
                .setting("enable-debug-command", "yes")
                .setting("loading-process-events-interval-bytes", "1024")
                .start();
    }

    /** Returns once it is felt. */
    abstract void begin(RedisFixture at);

    /** Returns once it is over. */
    abstract void end(RedisFixture at);

    /** What the server says meanwhile; empty when it says nothing. */
    String word() {
        return word;
    }

    private static void config(RedisFixture at, String name, String value) {
        at.raw().call("CONFIG", "SET", name, value);
    }

    private static String info(RedisFixture at, String section) {
        return String.valueOf(at.raw().call("INFO", section));
    }

    private static Path snapshot(RedisFixture at) {
        List<?> folder = (List<?>) Objects.requireNonNull(at.raw().call("CONFIG", "GET", "dir"));
        return Path.of(String.valueOf(folder.get(1)), "dump.rdb");
    }

    /** Sends what is not answered before the end. */
    void inTheBackground(RedisFixture at, String... command) {
        Worker.start(() -> {
            try (RawRedis own = new RawRedis(at.server().host(), at.server().port())) {
                return own.call(command);
            }
        });
        until(() -> answer(at).startsWith(word));
    }

    private static String answer(RedisFixture at) {
        try {
            return String.valueOf(at.raw().call("PING"));
        } catch (RawRedis.ErrorReply error) {
            return String.valueOf(error.getMessage());
        }
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(20))
                .until(condition);
    }

    private interface Change {
        void make() throws IOException;
    }

    private static void change(Change change) {
        try {
            change.make();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
