// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** What listening does to the pools that commands take their connections from. */
@SuppressWarnings("deprecation") // JedisPool is what applications have
class PooledListenerTest {
    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RawRedis raw = new RawRedis(server.host(), server.port());
    private final Heard heard = new Heard();

    @AfterEach
    void stop() {
        raw.close();
        server.close();
    }

    @Test
    void ownPool_keepsAllItsConnectionsForCommands() {
        try (RedisConnector connector = JedisConnector.builder()
                .address(RedisAddress.parse(server.uri()))
                .minIdle(0)
                .maxIdle(1)
                .maxTotal(1)
                .build()) {
            connector.subscribe("channel", heard);
            await().until(() -> heard.words.contains("subscribed"));

            assertThat(call(connector, "ECHO", "room")).isEqualTo("room");
        }
    }

    @Test
    void exhaustedPool_ofTheApplication_isWaitedFor_andCanBeLeft() {
        JedisPoolConfig one = new JedisPoolConfig(); // waits for ever, as by default
        one.setMaxTotal(1);
        try (JedisPool pool = new JedisPool(one, server.host(), server.port())) {
            RedisConnector connector = JedisConnector.using(pool);
            try (var busy = pool.getResource()) {
                Subscription unlucky = connector.subscribe("channel", heard);
                await().until(() -> pool.getNumWaiters() == 1);
                unlucky.close();
                await().until(() -> pool.getNumWaiters() == 0);
                assertThat(busy.ping()).isEqualTo("PONG");
            }
            assertThat(call(connector, "ECHO", "room")).isEqualTo("room");
            assertThat(heard.words).isEmpty();
        }
    }

    /** A stray reply would be taken for the reply to the next command. */
    @Test
    void hiddenConnection_goesBackClean() {
        PooledConnectionProvider provider = oneConnection();
        try (UnifiedJedis client = new UnifiedJedis(provider, 1, Duration.ofSeconds(1))) {
            RedisConnector connector = JedisConnector.using(client);
            for (int round = 0; round < 20; round++) {
                heard.words.clear();
                Subscription subscription = connector.subscribe("channel", heard);
                await().until(() -> heard.words.contains("subscribed"));
                raw.call("PUBLISH", "channel", "one");
                subscription.ping();
                subscription.close();
                raw.call("PUBLISH", "channel", "two");
                subscription.ping();

                assertThat(call(connector, "ECHO", "round " + round)).isEqualTo("round " + round);
            }
            assertThat(heard.words).doesNotContain("ended");
        }
    }

    @Test
    void hiddenConnection_closedBeforeItIsOpen_isUnsubscribed() {
        PooledConnectionProvider provider = oneConnection();
        try (UnifiedJedis client = new UnifiedJedis(provider, 1, Duration.ofSeconds(1))) {
            server.pause(); // so that it can't be open before it is closed
            JedisConnector.using(client).subscribe("channel", heard).close();
            server.resume();

            await().until(() -> provider.getPool().getNumIdle() == 1);
            assertThat(raw.call("PUBSUB", "NUMSUB", "channel")).isEqualTo(List.of("channel", 0L));
            assertThat(heard.words).isEmpty();
        }
    }

    private PooledConnectionProvider oneConnection() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        return new PooledConnectionProvider(
                new HostAndPort(server.host(), server.port()),
                DefaultJedisClientConfig.builder().build(),
                one);
    }

    private static Object call(RedisConnector connector, String... words) {
        return connector.send(RedisCommand.keyless(words)).toCompletableFuture().join();
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
    }

    private static final class Heard implements Subscriber {
        private final List<String> words = new CopyOnWriteArrayList<>();

        @Override
        public void subscribed() {
            words.add("subscribed");
        }

        @Override
        public void message(String text) {
            words.add(text);
        }

        @Override
        public void ended(RuntimeException cause) {
            words.add("ended");
        }
    }
}
