// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TestServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.holdfast.testkit.TestServers#all")
class ServerFaultsTest {
    @Parameter
    TestServer version;

    private EmbeddedRedis server;
    private ServerFaults faults;
    private RawRedis raw;

    @BeforeEach
    void start() {
        server = version.builder().setting("appendonly", "yes").start();
        faults = ServerFaults.of(server);
        raw = connect();
    }

    @AfterEach
    void stop() {
        raw.close();
        faults.close();
        server.close();
    }

    private RawRedis connect() {
        return new RawRedis(server.host(), server.port());
    }

    private void reconnect() {
        raw.close();
        raw = connect();
    }

    private void assertWritesRefused(String code) {
        assertThatThrownBy(() -> raw.call("SET", "a", "1"))
                .isInstanceOf(RawRedis.ErrorReply.class)
                .hasMessageStartingWith(code);
    }

    private void assertWritable() {
        assertThatCode(() -> raw.call("SET", "a", "1")).doesNotThrowAnyException();
    }

    @Test
    void pauseWrites_leavesReadsAlone() {
        raw.call("SET", "a", "1");
        long start = System.nanoTime();
        faults.pauseWrites(Duration.ofMillis(400));
        assertThat(raw.get("a")).isEqualTo("1");
        raw.call("SET", "a", "2");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(399));
    }

    @Test
    void pauseCommands_answersNothing() {
        long start = System.nanoTime();
        faults.pauseCommands(Duration.ofMillis(400));
        raw.call("PING");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(399));
    }

    @Test
    void killConnections_sparesSubscriptionsAndTheOtherWayRound() {
        RawRedis listener = connect();
        listener.call("SUBSCRIBE", "channel");
        faults.killConnections();
        assertThatThrownBy(() -> raw.call("PING")).isInstanceOf(UncheckedIOException.class);
        assertThat(listener.call("PING")).isNotNull();

        reconnect();
        raw.call("PING");
        faults.killSubscriptions();
        assertThatThrownBy(() -> listener.call("PING")).isInstanceOf(UncheckedIOException.class);
        assertThat(raw.call("PING")).isEqualTo("PONG");
        listener.close();
    }

    @Test
    void forgottenScriptsAndData_areGone() {
        String sha = (String) raw.call("SCRIPT", "LOAD", "return 7");
        raw.call("SET", "a", "1");
        faults.forgetScripts();
        faults.flush();
        assertThatThrownBy(() -> raw.call("EVALSHA", sha, "0")).hasMessageStartingWith("NOSCRIPT");
        assertThat(raw.exists("a")).isFalse();
    }

    @Test
    void writes_areRefusedForEachReasonUntilItIsMended() {
        refused("OOM", server -> server.fillMemory("noeviction"));
        refused("READONLY", ServerFaults::becomeReplica);
        refused("NOREPLICAS", ServerFaults::requireReplicas);
        refused("MISCONF", ServerFaults::failSnapshots);
    }

    private void refused(String code, Consumer<ServerFaults> trouble) {
        assertWritable();
        trouble.accept(faults);
        assertWritesRefused(code);
        faults.mend();
        assertWritable();
    }

    @Test
    void endlessScript_keepsTheServerBusyUntilItIsMended() {
        faults.runEndlessScript();
        assertWritesRefused("BUSY");
        faults.mend();
        assertWritable();
    }

    @Test
    void limitedConnections_leaveNoRoomForMore() {
        raw.call("PING");
        faults.limitConnections(0);
        try (RawRedis more = connect()) {
            assertThatThrownBy(() -> more.call("PING")).hasMessageContaining("max number of clients");
        }
        assertThat(raw.call("PING")).isEqualTo("PONG");
        faults.mend();
        await().ignoreExceptions().untilAsserted(() -> {
            try (RawRedis more = connect()) {
                assertThat(more.call("PING")).isEqualTo("PONG");
            }
        });
    }

    @Test
    void restart_keepsTheDataAndRestartEmptyDoesNot() {
        raw.call("SET", "a", "1");
        faults.restart();
        reconnect();
        assertThat(raw.get("a")).isEqualTo("1");
        faults.restartEmpty();
        reconnect();
        assertThat(raw.exists("a")).isFalse();
    }

    @Test
    void powerLoss_losesTheLastCommandsOnly() {
        raw.call("SET", "a", "1");
        raw.call("SET", "b", "1");
        raw.call("EVAL", "redis.call('SET', 'c', 1) redis.call('SET', 'd', 1)", "0");
        raw.call("SET", "e", "1");
        faults.restartWithoutLastCommands(2);
        reconnect();
        assertThat(raw.call("EXISTS", "a", "b")).isEqualTo(2L);
        assertThat(raw.call("EXISTS", "c", "d", "e")).isEqualTo(0L);
        assertThat(faults.has("a")).isTrue();
        assertThat(faults.has("e")).isFalse();

        raw.call("SET", "f", "1");
        faults.restartWithoutLastBytes(3); // half a command is none
        reconnect();
        assertThat(raw.call("EXISTS", "a", "b", "f")).isEqualTo(2L);
    }

    @Test
    void password_isUsed() {
        try (EmbeddedRedis guarded = version.builder().password("secret").start();
                ServerFaults there = ServerFaults.of(guarded)) {
            assertThatCode(there::flush).doesNotThrowAnyException();
        }
    }
}
