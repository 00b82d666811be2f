// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** Connectors on clients that belong to the application. */
@SuppressWarnings("deprecation") // JedisPool is what applications have
class ApplicationClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final EmbeddedRedis server = EmbeddedRedis.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void jedisPool_worksAndOutlivesTheConnector() {
        try (JedisPool pool = new JedisPool(server.host(), server.port())) {
            RedisConnector connector = JedisConnector.using(pool);
            assertThat(connector.endpoint()).isEqualTo("the application's JedisPool");
            assertThat(connector.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
            assertThat(call(connector, "SET", "k", "v")).isEqualTo("OK");

            connector.close();

            assertThat(notSent(connector, "PING")).isTrue();
            assertThat(pool.getNumActive()).isZero();
            pool.withResource(jedis -> assertThat(jedis.get("k")).isEqualTo("v"));
        }
    }

    @Test
    void unifiedJedis_resp2And3() {
        for (DefaultJedisClientConfig config : new DefaultJedisClientConfig[] {
            DefaultJedisClientConfig.builder().build(),
            DefaultJedisClientConfig.builder().resp3().build()
        }) {
            try (UnifiedJedis client = client(config)) {
                RedisConnector connector = JedisConnector.using(client, Duration.ofSeconds(3));
                assertThat(connector.commandTimeout()).isEqualTo(Duration.ofSeconds(3));
                assertThat(call(connector, "SET", "k", "v")).isEqualTo("OK");
                assertThat(call(connector, "HSET", "h", "f", "1")).isInstanceOf(Long.class);
                assertThat(call(connector, "HGETALL", "h")).hasToString("[f, 1]");
                assertThat(call(connector, "ZADD", "z", "1.5", "m")).isInstanceOf(Long.class);
                assertThat(call(connector, "ZSCORE", "z", "m")).isEqualTo("1.5");
                assertThat(call(connector, "EVAL", "redis.setresp(3) return true", "0"))
                        .isEqualTo(1L);
                assertThat(failure(connector, "LPUSH", "k", "x")).isInstanceOf(RedisReplyException.class);

                connector.close();

                assertThat(client.get("k")).isEqualTo("v");
            }
        }
    }

    @Test
    void unifiedJedis_refused_isNotSent() {
        server.kill();
        try (UnifiedJedis client = RedisClient.create(server.host(), server.port())) {
            assertThat(notSent(JedisConnector.using(client), "PING")).isTrue();
        }
    }

    @Test
    void unifiedJedis_killedBeforeTheReply_isNoReply() {
        DefaultJedisClientConfig patient =
                DefaultJedisClientConfig.builder().timeoutMillis(20_000).build();
        try (UnifiedJedis client = client(patient);
                RawRedis raw = new RawRedis(server.host(), server.port())) {
            RedisConnector connector = JedisConnector.using(client, PATIENCE);
            CompletableFuture<Throwable> pending =
                    CompletableFuture.supplyAsync(() -> failure(connector, "BLPOP", "absent", "0"));
            await().atMost(PATIENCE)
                    .until(() -> String.valueOf(raw.call("INFO", "clients")).contains("blocked_clients:1"));

            server.kill();

            assertThat(pending.join())
                    .isInstanceOfSatisfying(
                            RedisConnectionException.class,
                            e -> assertThat(e.maybeExecuted()).isTrue());
        }
    }

    @Test
    void timeoutBelowAMillisecond_isRefused() {
        try (UnifiedJedis client = RedisClient.create(server.host(), server.port())) {
            assertThatIllegalArgumentException().isThrownBy(() -> JedisConnector.using(client, Duration.ZERO));
        }
    }

    private UnifiedJedis client(JedisClientConfig config) {
        return RedisClient.builder()
                .hostAndPort(server.host(), server.port())
                .clientConfig(config)
                .build();
    }

    private static Object call(RedisConnector connector, String... words) {
        return connector.send(RedisCommand.keyed(words)).toCompletableFuture().join();
    }

    private static Throwable failure(RedisConnector connector, String... words) {
        return catchThrowable(() -> connector
                        .send(RedisCommand.keyless(words))
                        .toCompletableFuture()
                        .get())
                .getCause();
    }

    private static boolean notSent(RedisConnector connector, String... words) {
        return failure(connector, words) instanceof RedisConnectionException e && !e.maybeExecuted();
    }
}
