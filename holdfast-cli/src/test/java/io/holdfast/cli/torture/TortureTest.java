// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TortureTest {
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
        assertThat(run.out()).contains("OK: every promise was kept.").contains("P2 one holder");
        assertThat(run.exitCode()).isZero();
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
