// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real second JVMs, each with a temporary directory of its own, so that whatever they leave behind is seen. */
class JvmDeathTest {
    @TempDir
    Path temporary;

    private final List<Process> owners = new ArrayList<>();

    @AfterEach
    void endOwners() {
        owners.forEach(Process::destroyForcibly);
        await().untilAsserted(() -> assertThat(temporary).isDirectoryNotContaining("glob:**/holdfast-redis-*"));
    }

    @Test
    void jvmKilled_takesServerSupervisorAndFolderAlong() throws Exception {
        Owner owner = start();
        List<ProcessHandle> family = owner.family();
        assertThat(family).hasSize(3).allMatch(ProcessHandle::isAlive);

        owner.jvm().destroyForcibly();

        assertThat(owner.jvm().waitFor()).as("SIGKILL").isEqualTo(128 + 9);
        assertNothingLeft(owner, family);
    }

    @Test
    void jvmKilled_whileTheServerIsPaused_takesItAlong() throws Exception {
        Owner owner = start();
        List<ProcessHandle> family = owner.family();
        assertThat(new ProcessBuilder("/bin/sh", "-c", "kill -s STOP " + owner.pid())
                        .start()
                        .waitFor())
                .isZero();
        owner.jvm().destroyForcibly();
        assertNothingLeft(owner, family);
    }

    @Test
    void jvmExits_serverOutlivesTheShutdownHooksAndNothingElse() throws Exception {
        Owner owner = start("last-words");
        List<ProcessHandle> family = owner.family();
        owner.jvm().getOutputStream().close();
        assertThat(owner.out().readLine()).isEqualTo("from the hook: +PONG");
        assertThat(owner.jvm().waitFor()).isZero();
        assertNothingLeft(owner, family);
    }

    @Test
    void jvmTerminated_takesServerAlong() throws Exception {
        Owner owner = start("last-words");
        List<ProcessHandle> family = owner.family();
        owner.jvm().toHandle().destroy();
        assertThat(owner.out().readLine()).isEqualTo("from the hook: +PONG");
        assertNothingLeft(owner, family);
    }

    @Test
    void jvmExits_afterItsServerDied_leavesNoFolder() throws Exception {
        Owner owner = start("dead-server");
        assertThat(owner.folder()).exists();
        owner.jvm().getOutputStream().close();
        assertThat(owner.jvm().waitFor()).isZero();
        assertThat(owner.folder()).doesNotExist();
    }

    @Test
    void twoJvms_unpackingAtTheSameTime_bothStart() throws Exception {
        Process one = launch();
        Process two = launch();
        Owner first = Owner.of(one);
        Owner second = Owner.of(two);
        assertThat(first.pid()).isNotEqualTo(second.pid());
        try (Stream<Path> all = Files.walk(temporary)) {
            assertThat(all.filter(path -> path.getFileName().toString().contains("7.0.15")))
                    .hasSize(1);
        }
    }

    private void assertNothingLeft(Owner owner, List<ProcessHandle> family) throws Exception {
        assertThat(owner.jvm().waitFor(10, TimeUnit.SECONDS)).isTrue();
        await().untilAsserted(() -> {
            assertThat(family).noneMatch(ProcessHandle::isAlive);
            assertThat(owner.folder()).doesNotExist();
        });
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new Wire("127.0.0.1", owner.port()));
    }

    private Owner start(String... arguments) throws IOException {
        return Owner.of(launch(arguments));
    }

    private Process launch(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                ServerOwner.class.getName()));
        command.addAll(List.of(arguments));
        Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
        owners.add(jvm);
        return jvm;
    }

    private record Owner(Process jvm, BufferedReader out, long pid, int port, Path folder) {
        static Owner of(Process jvm) throws IOException {
            BufferedReader out = jvm.inputReader();
            String line = out.readLine();
            assertThat(line).matches("\\d+ \\d+ /.*");
            String[] words = line.split(" ", 3);
            return new Owner(jvm, out, Long.parseLong(words[0]), Integer.parseInt(words[1]), Path.of(words[2]));
        }

        List<ProcessHandle> family() {
            ProcessHandle supervisor =
                    ProcessHandle.of(pid).flatMap(ProcessHandle::parent).orElseThrow();
            return Stream.concat(Stream.of(supervisor), supervisor.descendants())
                    .toList();
        }
    }
}
