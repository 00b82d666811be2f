// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.SteppableServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockShimTest {

    @Test
    void server_seesTheStepAtOnceInTimeAndExpiry() {
        try (SteppableServer stepped = SteppableServer.start();
                RawRedis raw =
                        new RawRedis(stepped.server().host(), stepped.server().port())) {
            long start = seconds(raw);
            raw.call("SET", "a", "1", "PX", "30000");

            stepped.setClock(Duration.ofMinutes(-2));
            assertThat(seconds(raw) - start).isBetween(-120L, -100L);
            assertThat(raw.pttl("a")).as("lives longer").isBetween(130_000L, 150_000L);

            stepped.setClock(Duration.ofMinutes(1));
            assertThat(seconds(raw) - start).isBetween(60L, 80L);
            assertThat(raw.exists("a")).as("ended early").isFalse();

            stepped.setClock(Duration.ZERO);
            assertThat(seconds(raw) - start).isBetween(0L, 20L);
        }
    }

    @Test
    void jvm_seesTheStepInItsWallClockOnly() throws Exception {
        try (ClockShim clock = SteppableServer.clock();
                TwoClocks jvm = new TwoClocks(clock)) {
            List<Long> before = jvm.ask();
            clock.set(Duration.ofHours(1));
            List<Long> after = jvm.ask();
            assertThat(after.get(0) - before.get(0)).isBetween(3_600_000L, 3_660_000L);
            assertThat(after.get(1) - before.get(1)).as("monotonic").isBetween(0L, 60_000L);
        }
    }

    @Test
    void obstacle_saysWhatIsMissing() {
        assertThat(ClockLibrary.compile("Mac OS X", "/usr/bin").obstacle())
                .get()
                .asString()
                .contains("Mac OS X");
        ClockLibrary none = ClockLibrary.compile("Linux", "/nowhere");
        assertThat(none.library()).isEmpty();
        assertThat(none.obstacle()).get().asString().contains("no C compiler");
    }

    private static long seconds(RawRedis raw) {
        return Long.parseLong(String.valueOf(((List<?>) raw.call("TIME")).get(0)));
    }

    /** A JVM that tells its clocks when asked: the wall clock's and the monotonic one's milliseconds. */
    static final class TwoClocks implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        private final Writer in;

        TwoClocks(ClockShim clock) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            TwoClocks.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putAll(clock.environment());
            process = builder.start();
            out = process.inputReader(StandardCharsets.UTF_8);
            in = process.outputWriter(StandardCharsets.UTF_8);
        }

        List<Long> ask() throws IOException {
            in.write("\n");
            in.flush();
            return List.of(Long.valueOf(out.readLine()), Long.valueOf(out.readLine()));
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }

        public static void main(String[] args) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                System.out.println(Instant.now().toEpochMilli());
                System.out.println(System.nanoTime() / 1_000_000);
            }
        }
    }
}
