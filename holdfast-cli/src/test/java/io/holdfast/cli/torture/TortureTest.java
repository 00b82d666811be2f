// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Command;
import io.holdfast.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TortureTest {
    private static final String RECORDS = "glob:**/holdfast-torture-*";

    @TempDir
    Path temporary;

    private Command torture(String minutes, String... more) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("torture", "--minutes", minutes));
        line.addAll(List.of(more));
        return Command.run(temporary, Map.of(), Duration.ofMinutes(5), line.toArray(String[]::new));
    }

    @Test
    void torture_withLocks_findsThatEveryLineHeld() throws IOException, InterruptedException {
        Command run = torture(
                "0.1",
                "--workers",
                "2",
                "--seed",
                "4",
                "--faults",
                "kill-worker,pause-server,reset,flush-data,swallow-replies");
        assertThat(run.out())
                .containsPattern("[1-9]\\d* faults?: .*[a-z] [1-9]")
                .containsPattern("leases a second without faults: [1-9][\\d,]* before, [1-9][\\d,]* after")
                .containsPattern("[1-9][\\d,]* grants")
                .containsPattern("P1 fenced writes +held; [1-9][\\d,]* writes accepted")
                .containsPattern("fencing tokens +held")
                .containsPattern("P2 one holder +held")
                .containsPattern("P3 told of a loss +held; at worst [\\d.,]+ ms after the end")
                .containsPattern("P4 free in time +held; at worst [\\d.,]+ ms")
                .containsPattern("P5 nothing left +held")
                .contains("OK: every promise was kept.");
        assertThat(run.exitCode()).isZero();
        assertThat(temporary).as("no records of what held").isDirectoryNotContaining(RECORDS);
    }

    @Test
    void torture_withoutLocks_isFoundOut_andKeepsItsRecords() throws IOException, InterruptedException {
        Path records = temporary.resolve("records");
        Command run = torture(
                "0.1",
                "--skip-locks",
                "--workers",
                "2",
                "--seed",
                "4",
                "--faults",
                "flush-scripts",
                "--history",
                records.toString());
        assertThat(run.out())
                .containsPattern("P2 one holder +BROKEN")
                .contains("--seed 4")
                .contains("records are in");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(records).isDirectoryContaining("glob:**.history");
    }

    @Test
    void torture_withoutLocks_keepsItsRecordsWithoutBeingAsked() throws IOException, InterruptedException {
        Command run = torture("0.1", "--skip-locks", "--workers", "2", "--seed", "4", "--faults", "flush-scripts");
        assertThat(run.exitCode()).isEqualTo(1);
        Matcher named = Pattern.compile("The records are in (.+)").matcher(run.out());
        assertThat(named.find()).as(run.out()).isTrue();
        assertThat(Path.of(named.group(1)))
                .hasParent(temporary)
                .isDirectoryContaining("glob:**/injected.history")
                .isDirectoryContaining("glob:**/jedis-0.1.history")
                .isDirectoryContaining("glob:**/lettuce-1.2.history");
    }

    @Test
    void torture_onAnotherServer_runsThatOne() throws IOException, InterruptedException {
        Path mark = temporary.resolve("started");
        Path server = Files.writeString(
                temporary.resolve("another-server"),
                "#!/bin/sh\n: >> '" + mark + "'\nexec '" + embeddedExecutable() + "' \"$@\"\n");
        Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwx------"));
        Command run = torture(
                "0.1", "--redis-server", server.toString(), "--workers", "2", "--seed", "4", "--faults", "reset");
        assertThat(run.out()).contains("OK: every promise was kept.");
        assertThat(run.exitCode()).isZero();
        assertThat(mark).exists();
    }

    @Test
    void torture_askedForItsFaults_namesThemAll() throws IOException, InterruptedException {
        Command run = torture("0.1", "--faults", "list");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().map(line -> line.split(" ")[0]))
                .containsExactlyElementsOf(
                        Ordeal.all().stream().map(Ordeal::label).toList());
    }

    @Test
    void torture_onAServerThatIsNotThere_saysSo() throws IOException, InterruptedException {
        Path nowhere = temporary.resolve("no-such-server");
        Command run = torture("0.1", "--redis-server", nowhere.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("does not exist: " + nowhere);
    }

    private static String embeddedExecutable() {
        try (EmbeddedRedis embedded = EmbeddedRedis.start()) {
            return ProcessHandle.of(embedded.pid())
                    .flatMap(process -> process.info().command())
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jedis, 1", "jedis, 2", "jedis, 3", "jedis, 4", "jedis, 5",
        "lettuce, 1", "lettuce, 2", "lettuce, 3", "lettuce, 4", "lettuce, 5"
    })
    @EnabledIfSystemProperty(named = "holdfast.faults", matches = "long")
    void torture_forThreeMinutes_findsThatEveryLineHeld(String connector, String seed)
            throws IOException, InterruptedException {
        Command run = torture("3", "--connector", connector, "--seed", seed);
        System.out.println(run.out());
        assertThat(run.exitCode()).isZero();
    }
}
