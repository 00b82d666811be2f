// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServerChoiceTest {
    private static final Path SHIPPED = Path.of("shipped");

    @TempDir
    Path folder;

    static Stream<Path> namedServers() {
        return Stream.of(System.getenv("HOLDFAST_TEST_SERVERS").split(":")).map(Path::of);
    }

    @ParameterizedTest
    @MethodSource("namedServers")
    @EnabledIfEnvironmentVariable(named = "HOLDFAST_TEST_SERVERS", matches = ".+")
    void server_named_runsAndReportsItsVersion(Path server) throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                        .server(server)
                        .password("secret")
                        .setting("maxmemory", "8mb")
                        .start();
                Wire wire = new Wire(redis)) {
            String product =
                    server.getFileName().toString().replace("-server", "").replace('-', ' ');
            assertThat(redis.version()).matches(product + "\\.\\d+\\.\\d+");
            assertThat(wire.ask("AUTH secret")).isEqualTo("+OK");
            assertThat(wire.config("maxmemory")).isEqualTo("8388608");
            redis.restart();
            assertThat(LifecycleTest.family(redis)).hasSize(3);
        }
    }

    @Test
    void locate_prefersBuilderThenPropertyThenEnvironment() throws Exception {
        Path built = script("built", "");
        Path property = script("property", "");
        Path variable = script("variable", "");
        assertThat(ServerLocator.locate(built, property.toString(), variable.toString(), () -> SHIPPED))
                .isEqualTo(built);
        assertThat(ServerLocator.locate(null, property.toString(), variable.toString(), () -> SHIPPED))
                .isEqualTo(property);
        assertThat(ServerLocator.locate(null, " ", variable.toString(), () -> SHIPPED))
                .isEqualTo(variable);
        assertThat(ServerLocator.locate(null, null, "", () -> SHIPPED)).isEqualTo(SHIPPED);
    }

    @Test
    void locate_missingOrNotExecutable_saysWhichAndWhoNamedIt() throws Exception {
        Path missing = folder.resolve("missing");
        Path plain = Files.writeString(folder.resolve("plain"), "");
        assertThatIllegalStateException()
                .isThrownBy(() -> EmbeddedRedis.builder().server(missing).start())
                .withMessageContainingAll("builder().server(path)", "does not exist", missing.toString());
        assertThatIllegalStateException()
                .isThrownBy(() -> ServerLocator.locate(null, plain.toString(), null, () -> SHIPPED))
                .withMessageContainingAll("holdfast.redis.server", "not executable", plain.toString());
        assertThatIllegalStateException()
                .isThrownBy(() -> ServerLocator.locate(null, null, folder.toString(), () -> SHIPPED))
                .withMessageContainingAll("HOLDFAST_REDIS_SERVER", "not a file");
    }

    @Test
    void start_executableThatFails_showsItsOutputWithoutThePassword() throws Exception {
        Path failing = script("failing", "echo cannot run with secret-password; exit 3");
        assertThatIllegalStateException()
                .isThrownBy(() -> EmbeddedRedis.builder()
                        .server(failing)
                        .password("secret-password")
                        .start())
                .withMessageContainingAll(failing.toString(), "exited with status 3", "cannot run with ***");
    }

    @Test
    void start_notAProgram_isExplained() throws Exception {
        Path garbage = Files.write(folder.resolve("garbage"), new byte[] {0x7f, 'E', 'L', 'F', 0, 0});
        Files.setPosixFilePermissions(garbage, PosixFilePermissions.fromString("rwx------"));
        assertThatIllegalStateException()
                .isThrownBy(() -> EmbeddedRedis.builder().server(garbage).start())
                .withMessageContainingAll(garbage.toString(), "exited with status 12", "Its last output:");
    }

    @Test
    void start_settingTheServerRefuses_showsTheServersWords() {
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        EmbeddedRedis.builder().setting("no-such-setting", "1").start())
                .withMessageContainingAll("exited with status 1", "no-such-setting", "Bad directive");
    }

    @Test
    void start_executableThatNeverAnswers_isGivenUpAndKilled() throws Exception {
        Path pid = folder.resolve("pid");
        Path mute = script("mute", "echo I never listen; echo $$ >" + pid + "; exec sleep 60");
        assertThatIllegalStateException()
                .isThrownBy(() -> startWithin(Duration.ofMillis(500), mute))
                .withMessageContainingAll("did not answer within 500 ms", "refused", "I never listen");
        assertThat(process(pid)).isEmpty();
    }

    @Test
    void start_scriptThatDoesNotExec_isExplainedAndKilledWithItsServer() throws Exception {
        Path pid = folder.resolve("pid");
        Path shipped = ServerLocator.locate(null, null, null, ServerLocator::bundled);
        Path wrapping = script("wrapping", shipped + " \"$@\" & echo $! >" + pid + "; wait");
        assertThatIllegalStateException()
                .isThrownBy(() -> startWithin(Duration.ofSeconds(2), wrapping))
                .withMessageContaining("a script must exec the server");
        await().untilAsserted(() -> assertThat(process(pid)).isEmpty());
    }

    private void startWithin(Duration patience, Path server) {
        ServerOptions options = new ServerOptions(server, Ports.free("127.0.0.1"), "127.0.0.1", null, List.of());
        ServerStarter.start(options, new WorkFolder(folder), attempt -> options.port(), patience);
    }

    private static Optional<ProcessHandle> process(Path pid) throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    }

    private Path script(String name, String body) throws Exception {
        Path script = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
}
