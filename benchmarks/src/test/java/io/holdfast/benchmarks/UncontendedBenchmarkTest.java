// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Speed is not tested, this machine being what it is; what is measured, and how many commands it takes, is. */
class UncontendedBenchmarkTest {
    private static final int CYCLES = 50;

    @Test
    void everyContender_sendsTwoCommandsPerCycle() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                ServerView view = new ServerView(server)) {
            for (Contender contender : UncontendedBenchmark.contenders(server)) {
                try (contender) {
                    contender.cycle("warm-up");
                    Map<String, Integer> commands = view.clientCommands(
                            () -> IntStream.range(0, CYCLES).forEach(i -> contender.cycle("counted")));

                    assertThat(commands.values().stream()
                                    .mapToInt(Integer::intValue)
                                    .sum())
                            .as("%s sent %s", contender.name(), commands)
                            .isEqualTo(2 * CYCLES);
                }
            }
        }
    }

    @Test
    void settings_areReadFromTheCommandLine() {
        assertThat(Settings.parse()).isEqualTo(new Settings(15, Duration.ofSeconds(1), List.of(1, 32)));
        assertThat(Settings.parse("--threads", "1,8", "--rounds", "3", "--seconds", "0.5"))
                .isEqualTo(new Settings(3, Duration.ofMillis(500), List.of(1, 8)));
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.parse("--rounds"));
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.parse("--threads", "0"));
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.parse("--fast", "yes"));
    }

    @Test
    void ratio_isTheMedianOfTheRounds() {
        assertThat(Summary.median(List.of(0.5, 0.9, 7.0))).isEqualTo(0.9);
        assertThat(Summary.median(List.of(0.8, 1.0))).isEqualTo(0.9);
    }
}
