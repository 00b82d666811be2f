// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.testkit.DefaultPort;
import io.holdfast.testkit.HoldfastTest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every way to bring Lettuce: nothing given, an address, or the application's own client, which stays its own. */
@HoldfastTest
class LettuceSetUpExamplesTest {

    @Test
    void nothingGiven_isLocalhost6379() {
        Optional<DefaultPort> port = DefaultPort.claim();
        assumeTrue(port.isPresent(), "port 6379 is taken by a server of somebody's own");
        try (DefaultPort claimed = port.get();
                Holdfast locks = Holdfast.connect()) {
            assertThat(claimed.server().isRunning()).isTrue();
            assertThat(locks).hasToString("Holdfast[redis://localhost:6379]");
            takeAndRelease(locks);
        }
    }

    @Test
    void uri_withPasswordDatabaseAndTimeout() {
        try (EmbeddedRedis server = EmbeddedRedis.builder().password("s3cret").start();
                Holdfast locks = Holdfast.connect(server.uri() + "/2?timeout=5s")) {
            takeAndRelease(locks);
            assertThat(locks.toString()).endsWith("/2]").doesNotContain("s3cret");
        }
    }

    @Test
    void applicationsClient_isLeftOpen(URI uri) {
        try (RedisClient client = RedisClient.create(uri.toString())) {
            Holdfast locks =
                    Holdfast.builder().connector(LettuceConnector.using(client)).build();
            takeAndRelease(locks);
            locks.close();

            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                assertThat(connection.sync().ping()).isEqualTo("PONG");
            }
        }
    }

    @Test
    void applicationsConnection_isLeftOpen(URI uri) {
        try (RedisClient client = RedisClient.create(uri.toString());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            Holdfast locks = Holdfast.builder()
                    .connector(LettuceConnector.using(connection))
                    .build();
            takeAndRelease(locks);
            locks.close();

            assertThat(connection.sync().ping()).isEqualTo("PONG");
        }
    }

    /** Waits, because the first connection of a JVM can take Lettuce longer than its time limit. */
    private static void takeAndRelease(Holdfast locks) {
        assertThat(locks.tryLock("order:12345", Duration.ofSeconds(10), Duration.ofSeconds(30))
                        .orElseThrow()
                        .release())
                .isTrue();
    }
}
