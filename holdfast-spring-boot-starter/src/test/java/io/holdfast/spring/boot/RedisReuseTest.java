// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Locks on the application's clients, on a server that asks for a password; on the client versions that Boot manages. */
class RedisReuseTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String PASSWORD = "open sesame";
    private static final EmbeddedRedis SERVER =
            EmbeddedRedis.builder().password(PASSWORD).start();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.port=" + SERVER.port(),
                    "spring.data.redis.timeout=30s", // a busy machine takes its time to load a client's classes
                    "spring.data.redis.password=" + PASSWORD,
                    "spring.data.redis.database=3",
                    "spring.data.redis.client-name=shop");
    private RawRedis redis;

    @BeforeAll
    static void running() {
        assertThat(SERVER.isRunning()).isTrue();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void look() {
        redis = new RawRedis(SERVER.host(), SERVER.port());
        redis.call("AUTH", PASSWORD);
        redis.call("FLUSHALL");
        redis.call("SELECT", "3");
    }

    @AfterEach
    void lookAway() {
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void lock_onTheApplicationsClient_goesToItsDatabaseUnderItsName(String client) {
        application
                .withPropertyValues("spring.data.redis.client-type=" + client)
                .run(context -> {
                    try (Lease lease = context.getBean(LockManager.class)
                            .tryLock("order:42", TTL)
                            .orElseThrow()) {
                        assertThat(redis.get("holdfast:lock:order:42")).startsWith(lease.token());
                        // One that listens may only just have been opened, and not have said its name yet.
                        await().atMost(Duration.ofSeconds(30))
                                .untilAsserted(() -> assertThat(connectionsOfOthers())
                                        .isNotEmpty()
                                        .allMatch(line -> line.contains(" name=shop ")));
                    }
                    assertThat(redis.exists("holdfast:lock:order:42")).isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void context_stoppedOrPausedAndStartedAgain_locksOnTheNewClient(String client) {
        application
                .withPropertyValues("spring.data.redis.client-type=" + client)
                .run(running -> {
                    ConfigurableApplicationContext context = running.getSourceApplicationContext();
                    LockManager locks = context.getBean(LockManager.class);
                    assertLocks(locks);
                    context.stop();
                    context.start();
                    assertLocks(locks);
                    context.pause();
                    context.restart();
                    assertLocks(locks);
                });
    }

    @Test
    void jedisFactory_thatHidesItsPool_isMatchedByConnectionsToTheSameAddress() {
        application.withUserConfiguration(OlderJedis.class).run(context -> {
            assertThat(context.getBean(Holdfast.class))
                    .hasToString("Holdfast[redis://" + SERVER.host() + ":" + SERVER.port() + "/3]");
            try (Lease lease =
                    context.getBean(LockManager.class).tryLock("order:42", TTL).orElseThrow()) {
                assertThat(redis.get("holdfast:lock:order:42")).startsWith(lease.token());
            }
        });
    }

    private void assertLocks(LockManager locks) {
        // With a wait: when the client went away, the lock may just have been passed on to the one who waited in vain.
        try (Lease lease =
                locks.tryLock("order:42", TTL, Duration.ofSeconds(10)).orElseThrow()) {
            assertThat(redis.exists("holdfast:lock:order:42")).isTrue();
            // Somebody waits in vain, for as long as it takes to see that waiting works: it needs a subscription.
            assertThat(locks.tryLock("order:42", TTL, Duration.ofMillis(50))).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private List<String> connectionsOfOthers() {
        String own = " id=" + redis.call("CLIENT", "ID") + " ";
        return Arrays.stream(String.valueOf(redis.call("CLIENT", "LIST")).split("\n"))
                .filter(line -> !(" " + line).contains(own))
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    static class OlderJedis {
        @Bean
        RedisConnectionFactory redisConnectionFactory(Environment settings) {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(SERVER.host(), SERVER.port());
            server.setPassword(PASSWORD);
            server.setDatabase(3);
            JedisConnectionFactory factory = new JedisConnectionFactory(server);
            factory.setUseUnifiedJedis(false);
            return factory;
        }
    }
}
