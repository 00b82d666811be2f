// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    @Test
    void close_leavesNoProcessAndNoFolder() throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        Path folder = folder(redis);
        List<ProcessHandle> family = family(redis);
        assertThat(folder).isDirectory();
        assertThat(family).as("supervisor, server, watcher").hasSize(3);

        redis.close();
        redis.close();

        assertThat(redis.isRunning()).isFalse();
        assertThat(folder).doesNotExist();
        assertThat(family).noneMatch(ProcessHandle::isAlive);
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new Wire(redis));
        assertThatIllegalStateException().isThrownBy(redis::restart).withMessageContaining("closed");
    }

    @Test
    void close_byAnInterruptedThread_stillLeavesNothing() throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        Path folder = folder(redis);
        Thread.currentThread().interrupt();
        redis.close();
        assertThat(Thread.interrupted()).as("flag kept").isTrue();
        assertThat(redis.isRunning()).isFalse();
        assertThat(folder).doesNotExist();
    }

    @Test
    void close_ofAPausedServer_leavesNothing() throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        List<ProcessHandle> family = family(redis);
        redis.pause();
        redis.close();
        assertThat(family).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void close_afterTheSupervisorWasKilled_stillLeavesNothing() throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        Path folder = folder(redis);
        List<ProcessHandle> family = family(redis);
        ProcessHandle.of(redis.pid())
                .flatMap(ProcessHandle::parent)
                .orElseThrow()
                .destroyForcibly();
        redis.close();
        await().untilAsserted(() -> assertThat(family).noneMatch(ProcessHandle::isAlive));
        assertThat(folder).doesNotExist();
    }

    @Test
    void serverDeath_byItself_endsTheSupervisorToo() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Wire wire = new Wire(redis)) {
            List<ProcessHandle> family = family(redis);
            assertThat(wire.ask("SHUTDOWN NOSAVE")).isNull();
            await().untilAsserted(() -> assertThat(family).noneMatch(ProcessHandle::isAlive));
            assertThat(redis.isRunning()).isFalse();
            assertThatIllegalStateException().isThrownBy(redis::pause).withMessageContaining("not running");
        }
    }

    @Test
    void kill_thenRestart_comesBackEmptyOnTheSamePort() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            int port = redis.port();
            long killed = redis.pid();
            try (Wire wire = new Wire(redis)) {
                assertThat(wire.ask("SET key value")).isEqualTo("+OK");
            }
            redis.kill();
            redis.kill();
            assertThat(redis.isRunning()).isFalse();
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new Wire(redis));

            redis.restart();

            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.pid()).isNotEqualTo(killed);
            try (Wire wire = new Wire(redis)) {
                assertThat(wire.ask("EXISTS key")).isEqualTo(":0");
            }
        }
    }

    @Test
    void restart_ofARunningServerWithAppendOnlyFile_keepsTheData() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .setting("appendonly", "yes")
                .password("secret")
                .start()) {
            try (Wire wire = new Wire(redis)) {
                assertThat(wire.ask("AUTH secret")).isEqualTo("+OK");
                assertThat(wire.ask("SET key value")).isEqualTo("+OK");
            }
            redis.restart();
            try (Wire wire = new Wire(redis)) {
                assertThat(wire.ask("AUTH secret")).isEqualTo("+OK");
                assertThat(wire.ask("EXISTS key")).isEqualTo(":1");
            }
        }
    }

    @Test
    void pause_silencesTheServerUntilResume() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Wire wire = new Wire(redis)) {
            assertThat(wire.ask("PING")).isEqualTo("+PONG");
            redis.pause();
            assertThat(redis.isRunning()).isTrue();
            wire.replyWithin(300);
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> wire.ask("PING"));
            redis.resume();
            wire.replyWithin(2_000);
            assertThat(wire.read(1)).isEqualTo("+PONG");
        }
    }

    static Path folder(EmbeddedRedis redis) throws IOException {
        try (Wire wire = new Wire(redis)) {
            return Path.of(wire.config("dir"));
        }
    }

    /** The supervising shell and all below it, the server among them. */
    static List<ProcessHandle> family(EmbeddedRedis redis) {
        ProcessHandle supervisor =
                ProcessHandle.of(redis.pid()).flatMap(ProcessHandle::parent).orElseThrow();
        assertThat(supervisor).isNotEqualTo(ProcessHandle.current());
        return Stream.concat(Stream.of(supervisor), supervisor.descendants()).toList();
    }
}
