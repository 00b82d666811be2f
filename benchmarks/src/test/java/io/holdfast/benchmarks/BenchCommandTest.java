// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {

    @Test
    void settings_areReadFromTheCommandLine() {
        Settings settings =
                settings("--scenario", "4x4,own-1", "--contender=redisson", "--rounds=3", "--seconds", "0.5");

        assertThat(settings.scenarios()).containsExactly(Scenario.FOUR_BY_FOUR, Scenario.OWN_1);
        assertThat(settings.entries(Scenario.FOUR_BY_FOUR)).containsExactly(Entry.REDISSON);
        assertThat(settings.rounds()).isEqualTo(3);
        assertThat(settings.pace().turn()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void onlyAWholeRun_isComplete() {
        assertThat(settings().isComplete()).isTrue();
        assertThat(settings("--quick").isComplete()).isFalse();
        assertThat(settings("--scenario=8x8").isComplete()).isFalse();
        assertThat(settings("--contender=redisson").isComplete()).isFalse();
    }

    @Test
    void negativeControl_takesPartOnlyWhenAskedFor() {
        assertThat(settings().entries(Scenario.ONE_16)).doesNotContain(Entry.UNLOCKED);
        assertThat(settings("--contender=unlocked").entries(Scenario.ONE_16)).containsExactly(Entry.UNLOCKED);
    }

    @Test
    void typos_areAnsweredWithWhatThereIs() {
        assertThat(complaint("--scenario=4x5"))
                .contains("there is no scenario '4x5'")
                .contains("4x4, 8x8");
        assertThat(complaint("--contender", "redison"))
                .contains("there are holdfast-jedis, ")
                .contains(" redisson,");
        assertThat(complaint("--sceanrio=4x4")).contains("--scenario");
        assertThat(complaint("--rounds=0")).contains("--rounds must be 1 or more");
        assertThat(complaint("--seconds=none")).contains("--seconds");
    }

    @Test
    void page_keepsWhatWasWrittenByHand(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("benchmarks.md");
        Document.update(page, "old figures");
        String text = Files.readString(page);
        Files.writeString(page, text.replace("# Benchmarks", "# Benchmarks\n\nHow to read them.") + "\n## Why\n");

        Document.update(page, "new figures");

        assertThat(Files.readString(page))
                .contains("How to read them.", "new figures", "## Why")
                .doesNotContain("old figures");
        Files.writeString(page, "all by hand");
        assertThatIllegalStateException().isThrownBy(() -> Document.update(page, "figures"));
    }

    private static Settings settings(String... arguments) {
        CommandLine line = BenchCommand.commandLine();
        line.parseArgs(arguments);
        BenchCommand command = line.getCommand();
        return command.settings();
    }

    private static String complaint(String... arguments) {
        StringWriter err = new StringWriter();
        int exit = BenchCommand.commandLine().setErr(new PrintWriter(err)).execute(arguments);
        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        return err.toString();
    }
}
