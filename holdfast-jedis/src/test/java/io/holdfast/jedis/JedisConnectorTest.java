// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisConnectorFactory;
import io.holdfast.testkit.ConnectorContract;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

class JedisConnectorTest extends ConnectorContract {

    @Override
    protected RedisConnector connect(RedisAddress address) {
        return JedisConnector.connect(address);
    }

    @Test
    void send_isDoneWhenItReturns() {
        assertThat(connector.blocking()).isTrue();
        assertThat(connector.send(RedisCommand.keyless("PING")).toCompletableFuture())
                .isDone();
    }

    @Test
    void pausedServer_isNoReplyAfterTheTimeout() {
        try (RedisConnector impatient = connect(address().withTimeout(Duration.ofMillis(200)))) {
            awaitPong(impatient);
            server.pause();

            Throwable failure = failure(impatient.send(RedisCommand.keyed("INCR", "n")));

            assertNoReply(failure);
            assertThat(failure).hasMessageContaining("none within 200 ms");
            server.resume();
        }
    }

    @Test
    void pausedServer_whileConnecting_isNotSent() {
        try (RedisConnector impatient = connect(address().withTimeout(Duration.ofMillis(200)))) {
            server.pause();

            assertNotSent(failure(impatient.send(RedisCommand.keyed("INCR", "n"))));
            server.resume();
        }
    }

    @Test
    void exhaustedPool_isNotSent_andBounded() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        one.setMaxWait(Duration.ofMillis(100));
        ConnectionPool pool = new ConnectionPool(new HostAndPort(server.host(), server.port()), patient(), one);
        Failures failures = new Failures("here", PATIENCE);
        Exchange exchange = new PoolExchange<>(pool, c -> c, failures, true);
        Listening listening = new ConnectionListening<>(pool::getResource, c -> c, failures);
        try (RedisConnector small = new JedisConnector(exchange, listening, PATIENCE, "here")) {
            CompletableFuture<?> busy =
                    CompletableFuture.runAsync(() -> small.send(RedisCommand.keyless("BLPOP", "queue", "0")));
            await().atMost(PATIENCE).until(() -> info("clients").contains("blocked_clients:1"));

            Throwable failure = failure(small.send(RedisCommand.keyless("PING")));

            assertNotSent(failure);
            assertThat(failure).hasMessageContaining("raise maxTotal");
            raw.call("LPUSH", "queue", "x");
            busy.join();
            assertThat(result(small.send(RedisCommand.keyless("PING")))).isEqualTo("PONG");
        }
    }

    @Test
    void interruptWhileWaitingForThePool_isNotSent_andKept() throws InterruptedException {
        RedisConnector small = JedisConnector.builder()
                .address(address())
                .maxTotal(1)
                .maxIdle(1)
                .minIdle(0)
                .build();
        try (small) {
            CompletableFuture<?> busy =
                    CompletableFuture.runAsync(() -> small.send(RedisCommand.keyless("BLPOP", "queue", "0")));
            await().atMost(PATIENCE).until(() -> info("clients").contains("blocked_clients:1"));
            AtomicBoolean flag = new AtomicBoolean();
            CompletableFuture<Throwable> second = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                CompletionStage<Object> reply = small.send(RedisCommand.keyless("PING"));
                flag.set(Thread.interrupted());
                second.complete(failure(reply));
            });
            waiter.start();

            waiter.interrupt();

            assertNotSent(second.join());
            assertThat(flag).isTrue();
            raw.call("LPUSH", "queue", "x");
            busy.join();
            waiter.join();
        }
    }

    @Test
    void testOnBorrow_hidesARestart() {
        RedisConnector tested =
                JedisConnector.builder().address(address()).testOnBorrow(true).build();
        try (tested) {
            result(tested.send(RedisCommand.keyless("PING")));
            server.restart();

            assertThat(result(tested.send(RedisCommand.keyless("PING")))).isEqualTo("PONG");
        }
    }

    @Test
    void factory_isRegistered() {
        assertThat(ServiceLoader.load(RedisConnectorFactory.class))
                .singleElement()
                .satisfies(factory -> {
                    assertThat(factory.artifact()).isEqualTo("holdfast-jedis");
                    try (RedisConnector made = factory.create(address())) {
                        assertThat(made).isInstanceOf(JedisConnector.class);
                        assertThat(result(made.send(RedisCommand.keyless("PING"))))
                                .isEqualTo("PONG");
                    }
                });
    }

    private static DefaultJedisClientConfig patient() {
        return DefaultJedisClientConfig.builder()
                .timeoutMillis((int) PATIENCE.toMillis())
                .build();
    }
}
