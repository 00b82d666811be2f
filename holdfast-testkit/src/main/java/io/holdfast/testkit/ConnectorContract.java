// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.testkit.faults.FaultyProxy;
import io.holdfast.testkit.faults.Way;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RedisConnector} must do, against a real server of its own for each test: extend it, say how to
 * connect, run it.
 */
public abstract class ConnectorContract {
    /** How long a test waits for what must happen, and the connector for a reply. */
    protected static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String SECRET = "s3cr3t-passw0rd";

    /** The server. */
    protected EmbeddedRedis server;

    /** Connected to {@link #server}. */
    protected RedisConnector connector;

    /** The second way to {@link #server}. */
    protected RawRedis raw;

    /** For subclasses. */
    protected ConnectorContract() {}

    /** Makes a connector that owns its client. */
    protected abstract RedisConnector connect(RedisAddress address);

    @BeforeEach
    final void startServer() {
        server = EmbeddedRedis.start();
        connector = connect(address());
        raw = new RawRedis(server.host(), server.port());
    }

    @AfterEach
    final void stopServer() {
        connector.close();
        raw.close();
        server.close();
    }

    @Test
    void replies_ofEachKind() {
        assertThat(call("SET", "k", "v")).isEqualTo("OK");
        assertThat(call("GET", "k")).isEqualTo("v");
        assertThat(call("GET", "absent")).isNull();
        assertThat(call("INCRBY", "n", "9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(call("DECRBY", "m", "9223372036854775807")).isEqualTo(-Long.MAX_VALUE);
        assertThat(call("SET", "empty", "")).isEqualTo("OK");
        assertThat(call("GET", "empty")).isEqualTo("");
        assertThat(call("LRANGE", "absent", "0", "-1")).isEqualTo(List.of());
        assertThat(call("BLPOP", "absent", "0.01")).isNull();
    }

    @Test
    void replies_nested() {
        assertThat(call("EVAL", "return {1, 'two', {3, {'four', false}, {}}, false, {}}", "0"))
                .isEqualTo(
                        Arrays.asList(1L, "two", List.of(3L, Arrays.asList("four", null), List.of()), null, List.of()));
    }

    @Test
    void replies_mapsAreFlat() {
        call("HSET", "h", "field", "value");

        assertThat(call("HGETALL", "h")).isEqualTo(List.of("field", "value"));
    }

    @Test
    void replies_errorInsideAList_concernsItsElementOnly() {
        assertThat(call("EVAL", "return {1, redis.pcall('LPUSH', KEYS[1]), 2}", "1", "k"))
                .asInstanceOf(LIST)
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo(1L),
                        error -> assertThat(error).isInstanceOf(RedisReplyException.class),
                        two -> assertThat(two).isEqualTo(2L));
        assertThat(call("PING")).isEqualTo("PONG");
    }

    @Test
    void text_isUtf8BothWays() {
        String text = "Grüße, 锁, \uD83D\uDD12 \u0000\r\n end";

        call("SET", "ключ", text);

        assertThat(raw.get("ключ")).isEqualTo(text);
        assertThat(call("GET", "ключ")).isEqualTo(text);
    }

    @Test
    void text_largerThanAnyBuffer() {
        String text = "0123456789abcdef".repeat(100_000);

        assertThat(call("ECHO", text)).isEqualTo(text);
    }

    @Test
    void errorReplies_areTheServersOwnLine() {
        call("SET", "string", "x");

        for (String[] words : List.of(
                new String[] {"EVALSHA", "ffffffffffffffffffffffffffffffffffffffff", "0"},
                new String[] {"LPUSH", "string", "x"},
                new String[] {"NOSUCHCOMMAND", "string"},
                new String[] {"INCR", "string"})) {
            Throwable expected = catchThrowable(() -> raw.call(words));
            assertThat(failure(words)).isInstanceOf(RedisReplyException.class).hasMessage(expected.getMessage());
        }
        assertThat(((RedisReplyException) failure("EVALSHA", "ffff", "0")).code())
                .isEqualTo("NOSCRIPT");
    }

    @Test
    void creating_doesNoIo() {
        long before = connections();

        try (RedisConnector unused = connect(address())) {
            assertThat(connections()).isEqualTo(before);
        }
        connect(RedisAddress.of("127.0.0.1", 1)).close();
    }

    @Test
    void command_isSentOnce() {
        try (Monitor monitor = new RawRedis(server.host(), server.port()).monitor()) {
            call("SET", "once", "x");
            call("PING");

            await().atMost(PATIENCE).until(() -> monitor.lines().stream().anyMatch(line -> line.contains("\"PING\"")));
            assertThat(monitor.lines())
                    .filteredOn(line -> line.contains("\"once\""))
                    .hasSize(1);
        }
    }

    @Test
    void manyAtOnce_eachGetsItsOwnReply() {
        List<CompletableFuture<@Nullable Object>> replies = IntStream.range(0, 500)
                .mapToObj(i -> inBackground("ECHO", "message " + i))
                .toList();

        for (int i = 0; i < replies.size(); i++) {
            assertThat(result(replies.get(i))).isEqualTo("message " + i);
        }
    }

    @Test
    void refusedConnection_isNotSent() {
        server.kill();
        try (RedisConnector fresh = connect(address())) {
            assertNotSent(failure(fresh.send(RedisCommand.keyed("SET", "k", "argument"))));
        }
    }

    @Test
    void unknownHost_isNotSent() {
        try (RedisConnector lost = connect(RedisAddress.of("no-such-host.invalid", 6379))) {
            Throwable failure = failure(lost.send(RedisCommand.keyed("SET", "k", "argument")));

            assertNotSent(failure);
            assertThat(failure).hasMessageContaining("redis://no-such-host.invalid:6379");
        }
    }

    @Test
    void serverKilledBeforeTheReply_isNoReply() {
        CompletableFuture<@Nullable Object> pending = inBackground("BLPOP", "absent", "0");
        await().atMost(PATIENCE).until(() -> info("clients").contains("blocked_clients:1"));

        server.kill();

        assertNoReply(failure(pending));
    }

    @Test
    void restartedServer_costsOneCommandAtMost() {
        call("PING");
        List.of(inBackground("PING"), inBackground("PING")).forEach(ConnectorContract::result);

        server.kill();
        server.restart();

        Throwable first = catchThrowable(() -> call("PING"));
        assertThat(first).satisfiesAnyOf(none -> assertThat(none).isNull(), ConnectorContract::assertConnectionFailure);
        assertThat(call("PING")).isEqualTo("PONG");
        assertThat(call("PING")).isEqualTo("PONG");
    }

    @Test
    void serverThatWasDown_isFoundAgain() {
        server.kill();
        assertConnectionFailure(failure("PING"));
        assertNotSent(failure("PING"));

        server.restart();

        assertThat(call("PING")).isEqualTo("PONG");
    }

    @Test
    void killedConnections_areReplaced() {
        call("PING");

        raw.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        await().atMost(PATIENCE).ignoreExceptions().until(() -> call("PING"), "PONG"::equals);
    }

    @Test
    void peerThatVanished_costsOneTimeout() {
        Duration timeout = Duration.ofSeconds(1);
        try (FaultyProxy net = FaultyProxy.before(server.host(), server.port());
                RedisConnector behind =
                        connect(RedisAddress.of(net.host(), net.port()).withTimeout(timeout))) {
            awaitPong(behind);
            net.drop(Way.REPLIES);
            long start = System.nanoTime();
            CompletableFuture<@Nullable Object> unanswered = inBackground(behind, "SET", "k", "argument");
            await().atMost(PATIENCE).until(() -> raw.exists("k"));
            net.heal(); // for connections that are yet to come
            await().atMost(PATIENCE).until(() -> System.nanoTime() - start > timeout.toNanos());

            assertThat(result(inBackground(behind, "PING"))).isEqualTo("PONG");
            assertNoReply(failure(unanswered));
        }
    }

    @Test
    void wrongPassword_isTheServersReply_andStaysSecret() {
        raw.call("CONFIG", "SET", "requirepass", "another");
        try (RedisConnector wrong = connect(address().withPassword(SECRET))) {
            Throwable failure = failure(wrong.send(RedisCommand.keyless("PING")));

            assertThat(failure).isInstanceOf(RedisReplyException.class).hasMessageStartingWith("WRONGPASS");
            assertThat(trace(failure) + wrong + wrong.endpoint()).doesNotContain(SECRET);
        }
    }

    @Test
    void missingPassword_isTheServersReply() {
        raw.call("CONFIG", "SET", "requirepass", "another");
        try (RedisConnector wrong = connect(address())) {
            assertThat(failure(wrong.send(RedisCommand.keyless("PING"))))
                    .isInstanceOf(RedisReplyException.class)
                    .hasMessageStartingWith("NOAUTH");
        }
    }

    @Test
    void login_withUserPasswordAndDatabase() {
        raw.call("ACL", "SETUSER", "worker", "on", ">" + SECRET, "~*", "+@all");
        RedisAddress there = RedisAddress.parse(
                "redis://worker:" + SECRET + "@" + server.host() + ":" + server.port() + "/3?timeout=20s");
        try (RedisConnector worker = connect(there)) {
            assertThat(result(worker.send(RedisCommand.keyless("ACL", "WHOAMI"))))
                    .isEqualTo("worker");
            result(worker.send(RedisCommand.keyed("SET", "k", "in three")));
        }
        assertThat(raw.exists("k")).isFalse();
        raw.call("SELECT", "3");
        assertThat(raw.get("k")).isEqualTo("in three");
    }

    @Test
    void closed_sendsNothing_andLeavesNoConnection() {
        long before = connections();
        call("PING");

        connector.close();
        connector.close();

        assertNotSent(failure("SET", "k", "argument"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(connections()).isEqualTo(before));
        assertThat(raw.exists("k")).isFalse();
    }

    @Test
    void commandTimeout_isTheAddresss() {
        assertThat(connector.commandTimeout()).isEqualTo(PATIENCE);
        assertThat(connector.endpoint()).isEqualTo("redis://" + server.host() + ":" + server.port());
    }

    /** Where {@link #server} is. */
    protected final RedisAddress address() {
        return RedisAddress.parse(server.uri()).withTimeout(PATIENCE);
    }

    /** Sends a command and returns its reply; throws what the stage completed with. */
    protected final @Nullable Object call(String... words) {
        return result(connector.send(RedisCommand.keyless(words)));
    }

    /** Sends a command and returns what its stage failed with. */
    protected final Throwable failure(String... words) {
        return failure(connector.send(RedisCommand.keyless(words)));
    }

    /** Sends a command from another thread, for connectors that block. */
    protected final CompletableFuture<@Nullable Object> inBackground(String... words) {
        return inBackground(connector, words);
    }

    private static CompletableFuture<@Nullable Object> inBackground(RedisConnector connector, String... words) {
        return CompletableFuture.supplyAsync(
                        () -> connector.send(RedisCommand.keyless(words)), task -> new Thread(task).start())
                .thenCompose(reply -> reply);
    }

    /** Repeats PING until it is answered: a short timeout may be too short for the first one on a busy machine. */
    protected static void awaitPong(RedisConnector connector) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> result(connector.send(RedisCommand.keyless("PING"))), "PONG"::equals);
    }

    /** How many clients the server has, this test's second way included. */
    protected final long connections() {
        return String.valueOf(raw.call("CLIENT", "LIST")).lines().count();
    }

    /** A section of {@code INFO}. */
    protected final String info(String section) {
        return String.valueOf(raw.call("INFO", section));
    }

    /** Waits for a reply; throws what the stage completed with. */
    protected static @Nullable Object result(CompletionStage<@Nullable Object> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no completion", e);
        }
    }

    /** Waits for a failure. */
    protected static Throwable failure(CompletionStage<@Nullable Object> stage) {
        return catchThrowable(
                () -> assertThat(result(stage)).as("reply instead of a failure").isNull());
    }

    /** The command never left, says so, and names neither arguments nor password. */
    protected static void assertNotSent(@Nullable Throwable failure) {
        assertConnectionFailure(failure);
        assertThat((RedisConnectionException) failure).matches(e -> !e.maybeExecuted(), "was not sent");
    }

    /** The command may have been carried out. */
    protected static void assertNoReply(@Nullable Throwable failure) {
        assertConnectionFailure(failure);
        assertThat((RedisConnectionException) failure).matches(RedisConnectionException::maybeExecuted, "was sent");
    }

    private static void assertConnectionFailure(@Nullable Throwable failure) {
        assertThat(failure)
                .isInstanceOf(RedisConnectionException.class)
                .message()
                .doesNotContain("argument");
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }
}
