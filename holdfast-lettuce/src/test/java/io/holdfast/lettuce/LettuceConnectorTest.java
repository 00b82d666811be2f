// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisConnectorFactory;
import io.holdfast.testkit.ConnectorContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LettuceConnectorTest extends ConnectorContract {

    @Override
    protected RedisConnector connect(RedisAddress address) {
        return LettuceConnector.connect(address);
    }

    @Test
    void defaults_areLocalhostAndTwoSeconds() {
        try (LettuceConnector local = LettuceConnector.connect()) {
            assertThat(local.endpoint()).isEqualTo("redis://localhost:6379");
            assertThat(local.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
            assertThat(local.blocking()).isFalse();
        }
    }

    @Test
    void pausedServer_doesNotHoldUpTheCaller() {
        call("PING");
        server.pause();
        long start = System.nanoTime();

        List<CompletionStage<Object>> replies = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            replies.add(connector.send(RedisCommand.keyed("INCR", "n")));
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        assertThat(replies.get(0).toCompletableFuture()).isNotDone();
        server.resume();
        assertThat(result(replies.get(999))).isEqualTo(1_000L);
    }

    @Test
    void pausedServer_whileConnecting_doesNotHoldUpTheCaller() {
        call("PING"); // classes are loaded
        try (RedisConnector fresh = connect(address())) {
            server.pause();
            long start = System.nanoTime();

            CompletableFuture<Object> reply =
                    fresh.send(RedisCommand.keyless("PING")).toCompletableFuture();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(reply).isNotDone();
            server.resume();
            assertThat(result(reply)).isEqualTo("PONG");
        }
    }

    @Test
    void pausedServer_whileConnecting_isNotSentAfterTheTimeout() {
        try (RedisConnector impatient = connect(address().withTimeout(Duration.ofMillis(300)))) {
            server.pause();

            assertNotSent(failure(impatient.send(RedisCommand.keyed("INCR", "n"))));
            server.resume();
        }
        assertThat(raw.exists("n")).isFalse();
    }

    @Test
    void replyAfterTheTimeout_stillArrives() {
        try (RedisConnector impatient = connect(address().withTimeout(Duration.ofMillis(500)))) {
            awaitPong(impatient);
            server.pause();
            CompletableFuture<Object> reply =
                    impatient.send(RedisCommand.keyed("INCR", "n")).toCompletableFuture();
            await().during(Duration.ofMillis(800)).atMost(PATIENCE).until(() -> !reply.isDone());

            server.resume();

            assertThat(result(reply)).isEqualTo(1L);
        }
    }

    @Test
    void serverThatStoodStill_keepsItsConnection() {
        try (RedisConnector impatient = connect(address().withTimeout(Duration.ofMillis(300)))) {
            awaitPong(impatient);
            long before = connections();
            server.pause();
            CompletableFuture<Object> late =
                    impatient.send(RedisCommand.keyed("INCR", "n")).toCompletableFuture();

            await().atMost(PATIENCE)
                    .until(() -> failsUnsent(
                            impatient.send(RedisCommand.keyed("INCR", "m")).toCompletableFuture()));
            assertThat(late).isNotDone();
            server.resume();

            assertThat(result(late)).isEqualTo(1L);
            awaitPong(impatient);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(connections()).isEqualTo(before));
        }
    }

    @Test
    void firstCommands_shareOneConnection() {
        long before = connections();
        List<CompletableFuture<Object>> replies = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            replies.add(inBackground("PING"));
        }

        replies.forEach(ConnectorContract::result);

        assertThat(connections()).isEqualTo(before + 1);
    }

    @Test
    void closeWhileInFlight_isNoReply_andEndsTheThreads() {
        Set<Thread> before = lettuceThreads();
        RedisConnector other = connect(address());
        CompletionStage<Object> pending = other.send(RedisCommand.keyless("BLPOP", "absent", "0"));
        await().atMost(PATIENCE).until(() -> info("clients").contains("blocked_clients:1"));

        other.close();

        assertNoReply(failure(pending));
        await().atMost(PATIENCE).until(() -> before.containsAll(lettuceThreads()));
    }

    @Test
    void closeInACallback_doesNotHang() {
        RedisConnector other = connect(address());

        CompletableFuture<Void> closed =
                other.send(RedisCommand.keyless("PING")).thenRun(other::close).toCompletableFuture();

        await().atMost(PATIENCE).until(closed::isDone);
    }

    @Test
    void factory_isRegistered() {
        assertThat(ServiceLoader.load(RedisConnectorFactory.class))
                .singleElement()
                .satisfies(factory -> {
                    assertThat(factory.artifact()).isEqualTo("holdfast-lettuce");
                    try (RedisConnector made = factory.create(address())) {
                        assertThat(made).isInstanceOf(LettuceConnector.class);
                        assertThat(result(made.send(RedisCommand.keyless("PING"))))
                                .isEqualTo("PONG");
                    }
                });
    }

    private static boolean failsUnsent(CompletableFuture<Object> reply) {
        return reply.handle((value, e) -> e instanceof RedisConnectionException lost && !lost.maybeExecuted())
                .completeOnTimeout(false, 1, TimeUnit.SECONDS)
                .join();
    }

    private static Set<Thread> lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-"))
                .collect(Collectors.toSet());
    }
}
