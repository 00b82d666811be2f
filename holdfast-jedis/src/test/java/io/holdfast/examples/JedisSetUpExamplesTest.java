// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.testkit.DefaultPort;
import io.holdfast.testkit.HoldfastTest;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** Every way to bring Jedis: nothing given, all of it given, or the application's own client, which stays its own. */
@HoldfastTest
class JedisSetUpExamplesTest {

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
    void hostPortPasswordTimeoutAndPool() {
        try (EmbeddedRedis server = EmbeddedRedis.builder().password("s3cret").start();
                Holdfast locks = Holdfast.builder()
                        .connector(JedisConnector.builder()
                                .host(server.host())
                                .port(server.port())
                                .password("s3cret")
                                .timeout(Duration.ofMillis(2000))
                                .maxTotal(50)
                                .maxIdle(10)
                                .minIdle(5)
                                .testOnBorrow(true)
                                .build())
                        .build()) {
            takeAndRelease(locks);
            assertThat(locks.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    @SuppressWarnings("deprecation") // Jedis prefers RedisClient; applications still have pools
    void applicationsJedisPool_isLeftOpen(URI uri) {
        try (JedisPool pool = new JedisPool(uri)) {
            Holdfast locks =
                    Holdfast.builder().connector(JedisConnector.using(pool)).build();
            takeAndRelease(locks);
            locks.close();

            try (Jedis jedis = pool.getResource()) {
                assertThat(jedis.ping()).isEqualTo("PONG");
            }
        }
    }

    @Test
    void applicationsUnifiedJedis_isLeftOpen(EmbeddedRedis server) {
        try (UnifiedJedis client = RedisClient.create(server.host(), server.port())) {
            Holdfast locks =
                    Holdfast.builder().connector(JedisConnector.using(client)).build();
            takeAndRelease(locks);
            locks.close();

            assertThat(client.ping()).isEqualTo("PONG");
        }
    }

    private static void takeAndRelease(Holdfast locks) {
        assertThat(locks.tryLock("order:12345", Duration.ofSeconds(10))
                        .orElseThrow()
                        .release())
                .isTrue();
    }
}
