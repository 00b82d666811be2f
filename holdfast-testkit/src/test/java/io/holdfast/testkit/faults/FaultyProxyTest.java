// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TestServers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyProxyTest {
    /** How long nothing must come before it is sure that nothing comes. */
    private static final int SILENCE_MILLIS = 300;

    private final EmbeddedRedis redis = TestServers.embedded().shared();
    private final RawRedis direct = new RawRedis(redis.host(), redis.port());
    private final FaultyProxy proxy = FaultyProxy.before(redis.host(), redis.port());
    private Wire client;

    @BeforeEach
    void connect() throws IOException {
        direct.call("FLUSHALL");
        client = wire();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        direct.close();
    }

    private Wire wire() throws IOException {
        return new Wire(proxy.host(), proxy.port());
    }

    private static Predicate<List<String>> is(String command) {
        return request -> request.get(0).equals(command);
    }

    private static void assertSilent(Wire connection) throws IOException {
        connection.patience(SILENCE_MILLIS);
        assertThatThrownBy(connection::read).isInstanceOf(SocketTimeoutException.class);
    }

    private static void assertReset(Wire connection) {
        assertThatThrownBy(connection::read).isInstanceOf(SocketException.class).hasMessageContaining("reset");
    }

    @Test
    void traffic_passesUnchangedAndIsCounted() throws Exception {
        String large = "x".repeat(1_000_000);
        ProxyRule pings = proxy.when(is("PING")).pass();
        client.send("SET", "a", large).send("GET", "a").send("PING").sendRaw("PING typed\r\n\r\n");
        assertThat(client.read()).isEqualTo("+OK");
        assertThat(client.read()).isEqualTo("$1000000 " + large);
        assertThat(client.read()).isEqualTo("+PONG");
        assertThat(client.read()).isEqualTo("$5 typed");
        assertThat(proxy.traffic()).isEqualTo(new Traffic(1, 5, 4, 0, 0));
        assertThat(pings.applied()).isEqualTo(2);
        assertThat(proxy.connections()).isOne();
        client.close();
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void delay_isAddedToEachMessageAndNotToTheirSum() throws Exception {
        proxy.delay(Way.REQUESTS, Delay.of(Duration.ofMillis(100)));
        proxy.delay(Way.REPLIES, Delay.of(Duration.ofMillis(150)));
        long start = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            client.send("PING");
        }
        for (int i = 0; i < 40; i++) {
            client.read();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(took).isBetween(Duration.ofMillis(250), Duration.ofSeconds(4)); // one after the other: 10 s

        proxy.delay(Way.REQUESTS, Delay.NONE);
        proxy.delay(Way.REPLIES, Delay.NONE);
        assertThat(client.ask("PING")).isEqualTo("+PONG");
    }

    @Test
    void delay_byChance_isTheSameForTheSameSeedAndStaysInBounds() {
        Delay one = new Delay(Duration.ofMillis(10), Duration.ofMillis(5), new Random(7));
        Delay same = new Delay(Duration.ofMillis(10), Duration.ofMillis(5), new Random(7));
        for (int i = 0; i < 100; i++) {
            long nanos = one.nextNanos();
            assertThat(nanos).isBetween(10_000_000L, 15_000_000L).isEqualTo(same.nextNanos());
        }
        assertThatThrownBy(() -> Delay.of(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void dropRequests_leavesConnectionsHalfOpen() throws Exception {
        assertThat(client.ask("PING")).isEqualTo("+PONG");
        proxy.drop(Way.REQUESTS);
        client.send("SET", "a", "1");
        assertSilent(client);
        assertThat(direct.exists("a")).as("seen by the server").isFalse();

        proxy.heal();
        client.send("SET", "b", "1");
        assertSilent(client);
        assertThat(direct.exists("b")).as("a stream with a gap").isFalse();
        try (Wire fresh = wire()) {
            assertThat(fresh.ask("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void heal_tellsTheServerOfClientsThatWentAwayUnheard_beforeItOrAfter() throws Exception {
        try (Wire before = wire();
                Wire after = wire()) {
            proxy.drop(Way.REQUESTS);
            for (Wire each : List.of(before, after)) {
                each.send("PING");
                assertSilent(each);
            }
            before.close();
            assertSilent(after);
            assertThat(proxy.connections()).as("the server knows nothing of it").isEqualTo(3);
            proxy.heal();
            await().until(() -> proxy.connections() == 2);
            after.close();
            await().until(() -> proxy.connections() == 1);
        }
    }

    @Test
    void dropReplies_letsTheServerDoItsWork() throws Exception {
        try (Wire idle = wire()) {
            assertThat(idle.ask("PING")).isEqualTo("+PONG");
            proxy.drop(Way.REPLIES);
            client.send("SET", "a", "1");
            await().until(() -> direct.exists("a"));
            assertSilent(client);
            proxy.heal();
            assertThat(idle.ask("PING")).as("it lost nothing").isEqualTo("+PONG");
        }
        assertThat(proxy.traffic().lost()).isOne();
    }

    @Test
    void loseReply_losesThatOneAndTheConnection() throws Exception {
        ProxyRule rule = proxy.when(is("SET")).once().loseReply();
        client.sendTogether("PING", "GET a", "SET a 1", "PING");
        assertThat(client.read()).isEqualTo("+PONG");
        assertThat(client.read()).isEqualTo("$-1");
        assertReset(client);
        assertThat(direct.get("a")).isEqualTo("1");
        assertThat(rule.applied()).isOne();
        try (Wire fresh = wire()) {
            assertThat(fresh.ask("SET", "a", "2")).as("only once").isEqualTo("+OK");
        }
    }

    @Test
    void loseReplyAndHang_keepsTheConnectionAndItsSilence() throws Exception {
        proxy.when(is("SET")).once().loseReplyAndHang();
        client.sendTogether("PING", "SET a 1", "PING");
        assertThat(client.read()).isEqualTo("+PONG");
        assertSilent(client);
        assertThat(direct.get("a")).isEqualTo("1");
        assertThat(proxy.connections()).isOne();
        client.close();
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void delayReply_delaysThatOneOnly() throws Exception {
        proxy.when(is("SET")).once().delayReply(Duration.ofMillis(400));
        long start = System.nanoTime();
        client.send("SET", "a", "1");
        await().until(() -> direct.exists("a"));
        try (Wire other = wire()) {
            assertThat(other.ask("SET", "a", "2")).isEqualTo("+OK");
        }
        assertThat(client.read()).isEqualTo("+OK");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }

    @Test
    void holdBack_deliversTheRequestLateThoughItsClientHasGone() throws Exception {
        proxy.when(is("SET")).once().holdBack();
        client.sendTogether("PING", "SET a 1", "SET b 1");
        assertThat(client.read()).isEqualTo("+PONG");
        assertSilent(client);
        client.close();
        assertThat(direct.exists("a")).isFalse();
        assertThat(direct.exists("b")).as("behind it").isFalse();
        assertThat(proxy.held()).isOne();

        assertThat(proxy.letGo()).containsExactly("+OK\r\n");

        assertThat(direct.get("a")).isEqualTo("1");
        await().until(() -> direct.exists("b"));
        assertThat(proxy.held()).isZero();
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void holdBack_outlastsAReset() throws Exception {
        proxy.when(is("SET")).holdBack();
        client.send("SET", "a", "1");
        await().until(() -> proxy.held() == 1);
        proxy.reset();
        assertReset(client);
        assertThat(direct.exists("a")).isFalse();
        assertThat(proxy.letGo()).containsExactly("+OK\r\n");
        assertThat(direct.get("a")).isEqualTo("1");

        proxy.calm();
        try (Wire fresh = wire()) {
            assertThat(fresh.ask("SET", "a", "2")).isEqualTo("+OK");
        }
    }

    @Test
    void rule_thatHasEnded_appliesNoMore() throws Exception {
        ProxyRule counted = proxy.when(is("GET")).pass();
        client.ask("GET", "a");
        counted.end();
        client.ask("GET", "a");
        assertThat(counted.applied()).isOne();
    }

    @Test
    void resetNewest_breaksThatOneOnlyAndResetAll() throws Exception {
        try (Wire newest = wire()) {
            assertThat(client.ask("PING") + newest.ask("PING")).isEqualTo("+PONG+PONG");
            proxy.resetNewest();
            assertReset(newest);
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            proxy.reset();
            assertReset(client);
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void cut_refusesUntilItIsHealed() throws Exception {
        int port = proxy.port();
        for (int i = 0; i < 3; i++) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
            proxy.cut();
            assertReset(client);
            assertThatThrownBy(this::wire).isInstanceOf(ConnectException.class);
            proxy.heal();
            client = wire();
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
        assertThat(proxy.port()).isEqualTo(port);
    }

    @Test
    void serverGone_breaksConnections() throws Exception {
        try (EmbeddedRedis own = TestServers.embedded().builder().start();
                FaultyProxy before = FaultyProxy.before(own.host(), own.port());
                Wire wire = new Wire(before.host(), before.port())) {
            assertThat(wire.ask("PING")).isEqualTo("+PONG");
            own.kill();
            assertThatThrownBy(wire::read).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> {
                        try (Wire late = new Wire(before.host(), before.port())) {
                            late.ask("PING");
                        }
                    })
                    .isInstanceOf(IOException.class);
            own.restart();
            try (Wire again = new Wire(before.host(), before.port())) {
                assertThat(again.ask("PING")).isEqualTo("+PONG");
            }
        }
    }

    @Test
    void stranger_whoSpeaksAnotherProtocol_isSentAway() throws Exception {
        client.sendRaw("*x\r\n");
        assertThatThrownBy(client::read).isInstanceOf(IOException.class);
    }

    @Test
    void close_endsConnectionsAndThreads() throws Exception {
        assertThat(client.ask("PING")).isEqualTo("+PONG");
        proxy.when(is("SET")).holdBack();
        client.send("SET", "a", "1");
        await().until(() -> proxy.held() == 1);
        proxy.close();
        assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        assertThat(proxy.letGo()).isEmpty();
        assertThatThrownBy(this::wire).isInstanceOf(ConnectException.class);
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("holdfast-faulty-proxy")));
    }
}
