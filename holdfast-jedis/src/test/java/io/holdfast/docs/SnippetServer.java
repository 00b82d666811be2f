// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import io.holdfast.Holdfast;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Gives the snippets of the docs a server, and each test a name space of its own. */
@NullUnmarked
abstract class SnippetServer {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    static EmbeddedRedis redis;

    /** What every snippet calls its lock manager. */
    Holdfast locks;

    @BeforeAll
    static void startServer() {
        redis = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @BeforeEach
    void connect() {
        locks = connect(Holdfast.builder().keyPrefix("docs" + NUMBER.incrementAndGet()));
    }

    @AfterEach
    void disconnect() {
        locks.close();
    }

    /** A Holdfast on the server that does not wait for leases a test forgot. */
    static Holdfast connect(Holdfast.Builder settings) {
        return settings.uri(redis.uri()).closeWait(Duration.ZERO).build();
    }
}
