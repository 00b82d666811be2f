// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.testkit.Monitor;
import io.holdfast.testkit.RawRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connectors on clients that belong to the application, with Lettuce's defaults: reconnect, buffer, replay. */
class ApplicationClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RawRedis raw = new RawRedis(server.host(), server.port());
    private final RedisClient client = RedisClient.create(server.uri());

    @AfterEach
    void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        raw.close();
        server.close();
    }

    @Test
    void client_outlivesTheConnector() {
        long before = connections();
        assertThat(LettuceConnector.using(client).commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        RedisConnector connector = LettuceConnector.using(client, PATIENCE);
        assertThat(call(connector, "SET", "k", "v")).isEqualTo("OK");
        assertThat(connections()).isEqualTo(before + 1);

        connector.close();

        await().atMost(PATIENCE).until(() -> connections() == before);
        assertThat(maybeExecuted(connector.send(RedisCommand.keyless("PING")).toCompletableFuture()))
                .isFalse();
        try (StatefulRedisConnection<String, String> own = client.connect()) {
            assertThat(own.sync().get("k")).isEqualTo("v");
        }
    }

    /** The application shuts its client down next, and Lettuce warns of every connection that is closing already. */
    @Test
    void close_returnsOnceItsConnectionsAreClosed() {
        CountingClient counting = new CountingClient(server.uri());
        CompletableFuture<Boolean> subscribed = new CompletableFuture<>();
        try (RedisConnector connector = LettuceConnector.using(counting, PATIENCE)) {
            call(connector, "PING");
            connector.subscribe("channel", new Listener(subscribed));
            assertThat(subscribed
                            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .join())
                    .isTrue();
            assertThat(counting.count()).isPositive();
        }
        assertThat(counting.count()).isZero();
        counting.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** Lettuce writes what is sent while it encodes before what it encodes, and expects the replies in the other order. */
    @Test
    void commandsSentWhenALateOneFails_getTheirOwnReplies() {
        BorrowedLink link = new BorrowedLink(client.connect(ByteArrayCodec.INSTANCE));
        WireCommand late = new WireCommand(RedisCommand.keyless("ECHO", "late"), server.uri(), Duration.ofNanos(-1));
        WireCommand one = new WireCommand(RedisCommand.keyless("ECHO", "one"), server.uri(), PATIENCE);
        WireCommand two = new WireCommand(RedisCommand.keyless("ECHO", "two"), server.uri(), PATIENCE);
        CompletableFuture<Void> retries = late.handle((reply, failure) -> {
            link.dispatch(one);
            link.dispatch(two);
            return null;
        });

        link.dispatch(late);

        retries.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(one.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isEqualTo("one");
        assertThat(two.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isEqualTo("two");
        assertThat(maybeExecuted(late)).isFalse();
    }

    @Test
    void client_afterARestart_hasOneConnection() {
        RedisConnector connector = LettuceConnector.using(client, PATIENCE);
        call(connector, "PING");

        server.restart();

        try (RawRedis fresh = new RawRedis(server.host(), server.port())) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> call(connector, "PING"), "PONG"::equals);
            await().atMost(PATIENCE)
                    .until(() ->
                            String.valueOf(fresh.call("CLIENT", "LIST")).lines().count() == 2);
        }
    }

    @Test
    void connection_ofAnyCodec_outlivesTheConnector() {
        for (RedisCodec<?, ?> codec : List.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE, new Shouting())) {
            try (StatefulRedisConnection<?, ?> connection = client.connect(codec)) {
                RedisConnector connector = LettuceConnector.using(connection);
                assertThat(connector.commandTimeout()).isEqualTo(Duration.ofMinutes(1));
                assertThat(call(connector, "SET", "kéy", "välue")).isEqualTo("OK");
                assertThat(call(connector, "GET", "kéy")).isEqualTo("välue");
                assertThat(raw.get("kéy")).isEqualTo("välue");

                connector.close();

                assertThat(connection.sync().ping()).isEqualTo("PONG");
            }
        }
    }

    @Test
    void resp3_looksLikeResp2() {
        client.setOptions(
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP3).build());
        RedisConnector connector = LettuceConnector.using(client, PATIENCE);

        assertThat(call(connector, "HSET", "h", "f", "1")).isEqualTo(1L);
        assertThat(call(connector, "HGETALL", "h")).isEqualTo(List.of("f", "1"));
        assertThat(call(connector, "ZADD", "z", "1.5", "m")).isEqualTo(1L);
        assertThat(call(connector, "ZSCORE", "z", "m")).isEqualTo("1.5");
        assertThat(call(connector, "GET", "absent")).isNull();
        assertThat(call(connector, "EVAL", "redis.setresp(3) return {true, {double=3}, false}", "0"))
                .hasToString("[1, 3, 0]");
        connector.close();
    }

    /** Proves that the test below tests something: this is what Lettuce does to a command of its own. */
    @Test
    void lettuceItself_writesACommandInFlightASecondTime() {
        try (StatefulRedisConnection<String, String> connection = client.connect();
                Monitor monitor = new RawRedis(server.host(), server.port()).monitor()) {
            RedisFuture<?> pending = connection.async().blpop(0, "queue");
            await().atMost(PATIENCE).until(this::somebodyBlocks);

            killWhoBlocks();

            await().atMost(PATIENCE).until(() -> count(monitor, "BLPOP") == 2);
            assertThat(pending.toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void commandInFlight_whenTheConnectionBreaks_isNotWrittenAgain() throws Exception {
        try (StatefulRedisConnection<String, String> connection = client.connect();
                Monitor monitor = new RawRedis(server.host(), server.port()).monitor()) {
            RedisConnector connector = LettuceConnector.using(connection, PATIENCE);
            CompletableFuture<Object> pending =
                    connector.send(RedisCommand.keyed("BLPOP", "queue", "0")).toCompletableFuture();
            await().atMost(PATIENCE).until(this::somebodyBlocks);

            killWhoBlocks();

            assertThat(maybeExecuted(pending)).isTrue();
            assertThat(connection.async().set("k", "in step").get(20, TimeUnit.SECONDS))
                    .isEqualTo("OK");
            assertThat(connection.async().get("k").get(20, TimeUnit.SECONDS)).isEqualTo("in step");
            await().atMost(PATIENCE).until(() -> count(monitor, "GET") == 1);
            assertThat(count(monitor, "BLPOP")).isEqualTo(1);
        }
    }

    @Test
    void connectionThatIsDown_sendsNothing_alsoNotLater() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisConnector connector = LettuceConnector.using(connection, PATIENCE);
            server.kill();
            await().atMost(PATIENCE).until(() -> !connection.isOpen());

            CompletableFuture<Object> refused =
                    connector.send(RedisCommand.keyed("SET", "ghost", "x")).toCompletableFuture();

            assertThat(maybeExecuted(refused)).isFalse();
            server.restart();
            await().atMost(PATIENCE).ignoreExceptions().until(() -> call(connector, "PING"), "PONG"::equals);
            assertThat(call(connector, "EXISTS", "ghost")).isEqualTo(0L);
        }
    }

    @Test
    void clientsOwnTimeout_isNoReply() {
        client.setOptions(ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(100)))
                .build());
        RedisConnector connector = LettuceConnector.using(client, PATIENCE);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> call(connector, "PING"), "PONG"::equals);
        server.pause();

        CompletableFuture<Object> reply =
                connector.send(RedisCommand.keyed("INCR", "n")).toCompletableFuture();

        assertThat(maybeExecuted(reply)).isTrue();
        server.resume();
        connector.close();
    }

    @Test
    void clientThatWasShutDown_isNotSent() {
        RedisConnector connector = LettuceConnector.using(client);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));

        assertThat(maybeExecuted(connector.send(RedisCommand.keyless("PING")).toCompletableFuture()))
                .isFalse();
    }

    private boolean somebodyBlocks() {
        return String.valueOf(raw.call("INFO", "clients")).contains("blocked_clients:1");
    }

    private void killWhoBlocks() {
        String id = String.valueOf(raw.call("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("cmd=blpop"))
                .map(line -> line.substring("id=".length(), line.indexOf(' ')))
                .findAny()
                .orElseThrow();
        raw.call("CLIENT", "KILL", "ID", id);
    }

    private long connections() {
        return String.valueOf(raw.call("CLIENT", "LIST")).lines().count();
    }

    private static long count(Monitor monitor, String word) {
        return monitor.lines().stream()
                .filter(line -> line.contains("\"" + word + "\""))
                .count();
    }

    private static Object call(RedisConnector connector, String... words) {
        return connector
                .send(RedisCommand.keyless(words))
                .toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private static boolean maybeExecuted(CompletableFuture<Object> failed) {
        Throwable failure = catchThrowable(() -> failed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        return ((RedisConnectionException) failure.getCause()).maybeExecuted();
    }

    /** A codec that mangles everything: nothing of Holdfast may pass through it. */
    private static final class Shouting implements RedisCodec<String, String> {
        @Override
        public String decodeKey(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String decodeValue(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ByteBuffer encodeKey(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ByteBuffer encodeValue(String value) {
            throw new UnsupportedOperationException();
        }
    }

    private record Listener(CompletableFuture<Boolean> subscription) implements Subscriber {
        @Override
        public void subscribed() {
            subscription.complete(true);
        }

        @Override
        public void message(String text) {}

        @Override
        public void ended(RuntimeException cause) {
            subscription.completeExceptionally(cause);
        }
    }

    private static final class CountingClient extends RedisClient {
        CountingClient(String uri) {
            super(null, RedisURI.create(uri));
        }

        int count() {
            return getResourceCount();
        }
    }
}
