// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedRedisTest {
    @Test
    void start_withDefaults_answersAsItself() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().server(shipped()).start();
                Wire wire = new Wire(redis)) {
            assertThat(wire.ask("PING")).isEqualTo("+PONG");
            assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
            assertThat(redis.version()).isEqualTo("redis 7.0.15");
            assertThat(redis.toString()).contains("redis 7.0.15", redis.uri(), "pid " + redis.pid());
            assertThat(redis.isRunning()).isTrue();
            assertThat(ProcessHandle.of(redis.pid()).flatMap(p -> p.info().command()))
                    .hasValueSatisfying(command -> assertThat(command).contains("redis-server"));
        }
    }

    @Test
    void start_withDefaults_persistsNothingAndListensOnLoopbackOnly() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Wire wire = new Wire(redis)) {
            assertThat(wire.config("save")).isEmpty();
            assertThat(wire.config("appendonly")).isEqualTo("no");
            assertThat(wire.config("bind")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void start_twice_givesTwoIndependentServers() throws Exception {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start();
                Wire first = new Wire(one);
                Wire second = new Wire(two)) {
            assertThat(one.port()).isNotEqualTo(two.port());
            assertThat(one.pid()).isNotEqualTo(two.pid());
            assertThat(first.ask("SET key one")).isEqualTo("+OK");
            assertThat(second.ask("EXISTS key")).isEqualTo(":0");
        }
    }

    @Test
    void password_isRequiredAndShownOnlyInTheUri() throws Exception {
        String password = "a b\"c\\d/é";
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password(password).start();
                Wire wire = new Wire(redis)) {
            assertThat(wire.ask("PING")).startsWith("-NOAUTH");
            assertThat(wire.ask("AUTH wrong")).startsWith("-WRONGPASS");
            assertThat(wire.ask("AUTH \"a b\\\"c\\\\d/é\"")).isEqualTo("+OK");
            assertThat(redis.uri()).startsWith("redis://:a%20b%22c%5Cd%2F%C3%A9@127.0.0.1:");
            assertThat(redis.toString()).contains(":***@").doesNotContain("a%20b", password);
            assertThat(ProcessHandle.of(redis.pid()).orElseThrow().info().commandLine())
                    .hasValueSatisfying(line -> assertThat(line).doesNotContain("c\\d"));
        }
    }

    @Test
    void setting_reachesTheServerAndOverridesTheDefaults() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                        .setting("maxmemory", "2mb")
                        .setting("save", "900 1 300 10")
                        .setting("appendonly", "yes")
                        .start();
                Wire wire = new Wire(redis)) {
            assertThat(wire.config("maxmemory")).isEqualTo("2097152");
            assertThat(wire.config("save")).isEqualTo("900 1 300 10");
            assertThat(wire.config("appendonly")).isEqualTo("yes");
        }
    }

    @Test
    void setting_replicaOf_makesAReplica() throws Exception {
        try (EmbeddedRedis primary = EmbeddedRedis.start();
                EmbeddedRedis replica = EmbeddedRedis.builder()
                        .setting("replicaof", "127.0.0.1 " + primary.port())
                        .start();
                Wire wire = new Wire(replica)) {
            assertThat(wire.ask("ROLE", 3)).isEqualTo("slave");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Port", "max memory", "--port", "a\nb", "port", "bind", "requirepass", "daemonize"})
    void setting_badOrReservedName_isRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedRedis.builder().setting(name, "1"));
    }

    @Test
    void builder_badValues_areRefusedAtOnce() {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder();
        assertThatIllegalArgumentException().isThrownBy(() -> builder.port(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.port(65_536));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.bind("127.0.0.1 ::1"));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.password(""));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.setting("maxmemory", "1\nport 1"));
    }

    @Test
    void bind_wildcard_isReachedThroughLoopback() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().bind("0.0.0.0").start();
                Wire wire = new Wire(redis)) {
            assertThat(redis.host()).isEqualTo("127.0.0.1");
            assertThat(wire.config("bind")).isEqualTo("0.0.0.0");
        }
    }

    @Test
    void port_stolenAfterTheChoice_movesToAnother() throws Exception {
        try (ServerSocket thief = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AtomicInteger attempts = new AtomicInteger();
            IntUnaryOperator ports =
                    attempt -> attempts.getAndIncrement() == 0 ? thief.getLocalPort() : Ports.free("127.0.0.1");
            ServerOptions options = new ServerOptions(shipped(), 0, "127.0.0.1", null, List.of());
            try (EmbeddedRedis redis = EmbeddedRedis.start(options, ports)) {
                assertThat(redis.port()).isNotEqualTo(thief.getLocalPort());
                assertThat(attempts).hasValue(2);
            }
        }
    }

    @Test
    void port_namedAndTakenByAnotherRedis_failsWithTheServersWords() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> EmbeddedRedis.builder().port(redis.port()).start())
                    .withMessageContaining("exited with status 1")
                    .withMessageMatching("(?s).*Address (already )?in use.*");
        }
    }

    private static Path shipped() {
        return ServerLocator.locate(null, null, null, ServerLocator::bundled);
    }
}
