// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.testkit.faults.ClockShim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process whose wall clock jumps, by an hour either way: it goes by the monotonic clock and notices nothing. */
@NullUnmarked
public abstract class ClientClockContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofSeconds(60);

    private ClockShim clock;
    private Process process;
    private BufferedReader answers;

    @BeforeEach
    void startProcess() throws IOException {
        clock = SteppableServer.clock();
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        redis().server().uri() + "?timeout=5s",
                        key)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(clock.environment());
        process = builder.start();
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    @AfterEach
    void endProcess() {
        if (process != null) {
            process.destroyForcibly();
            clock.close();
        }
    }

    private Report ask() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append("report\n").flush();
        String[] words = String.valueOf(answers.readLine()).split(" ", -1);
        return new Report(
                Long.parseLong(words[0]), words[1].equals("true"), Long.parseLong(words[2]), words[3].equals("true"));
    }

    /** What the process says of itself: its wall clock, the renewed lease, the fixed one's rest, the lock it waits for. */
    private record Report(long wallMillis, boolean renewedHeld, long fixedMillisLeft, boolean awaitedHeld) {}

    @Test
    void clockOfAHolderAndWaiter_jumps_nothingHappens() throws Exception {
        Lease awaited =
                locks.lock(key + ":awaited", options -> options.ttl(LONG)).acquire();
        assertThat(answers.readLine()).isEqualTo("held");
        Report before = ask();
        assertUntouched(before);
        for (Duration jump : new Duration[] {Duration.ofHours(1), Duration.ofHours(-1)}) {
            long start = System.nanoTime();
            Report still = ask();
            long asked = System.nanoTime();
            clock.set(jump);
            Report jumped = ask();
            assertThat(jumped.wallMillis - before.wallMillis - jump.toMillis())
                    .as("the process sees the jump")
                    .isBetween(-1_000L, 30_000L);
            assertUntouched(jumped);

            awaitRenewal(lockKey() + ":renewed", TTL);
            awaitRenewal(lockKey() + ":renewed", TTL);

            long least = Duration.ofNanos(System.nanoTime() - asked).toMillis();
            Report later = ask();
            long most = Duration.ofNanos(System.nanoTime() - start).toMillis();
            assertUntouched(later);
            assertThat(still.fixedMillisLeft - later.fixedMillisLeft)
                    .as("the fixed lease runs out as time goes by")
                    .isBetween(least - 1, most + 1);
        }
        assertThat(awaited.release()).isTrue();
        await().until(() -> ask().awaitedHeld);
    }

    private static void assertUntouched(Report report) {
        assertThat(report.renewedHeld).isTrue();
        assertThat(report.fixedMillisLeft).isPositive();
        assertThat(report.awaitedHeld).isFalse();
    }

    /** Holds two locks and waits for a third; answers every line with a report. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            try (Holdfast locks = Holdfast.connect(args[0])) {
                Lease renewed = locks.lock(
                                args[1] + ":renewed",
                                options -> options.ttl(TTL).renew(true).renewEvery(ms(200)))
                        .acquire(LONG);
                Lease fixed = locks.lock(args[1] + ":fixed", options -> options.ttl(LONG))
                        .acquire();
                CompletableFuture<Lease> awaited = locks.lock(
                                args[1] + ":awaited",
                                options -> options.ttl(LONG).wait(LONG))
                        .acquireAsync();
                System.out.println("held");
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                while (in.readLine() != null) {
                    // The wall clock is what this is about.
                    System.out.println(Instant.now().toEpochMilli() + " " + renewed.isHeld() + " "
                            + fixed.remaining().toMillis() + " " + awaited.isDone());
                }
            }
        }
    }
}
