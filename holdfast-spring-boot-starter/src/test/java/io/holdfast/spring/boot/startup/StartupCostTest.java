// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.micrometer.LockMetrics;
import io.holdfast.reactor.ReactorResults;
import io.holdfast.spring.HoldfastLifecycle;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What the starter adds to the start of an application, in fresh JVMs, with and without it by turns: printed, by the clock and
 * in processor time of the main thread, which other work on the machine disturbs less. Takes a while, so it waits to be asked:
 *
 * <pre>{@code
 * mvn verify -pl holdfast-spring-boot-starter -am -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dtest=StartupCostTest -DargLine=-Dholdfast.startup.rounds=15
 * }</pre>
 */
@EnabledIfSystemProperty(named = "holdfast.startup.rounds", matches = "\\d+", disabledReason = "takes a while")
class StartupCostTest {
    private static final int ROUNDS = Integer.getInteger("holdfast.startup.rounds", 1);
    /** Ten times the aim of 150 ms: only what is grossly wrong shows on any machine. */
    private static final long GROSSLY_WRONG_MILLIS = 1_500;

    private record Start(long clockMillis, long workMillis) {}

    @Test
    void starter_addsLittleToTheStartOfAnApplication() throws Exception {
        Set<Path> ours = ours();
        String with = System.getProperty("java.class.path");
        String without = Arrays.stream(with.split(File.pathSeparator))
                .filter(entry -> !ours.contains(Path.of(entry).toAbsolutePath()))
                .collect(Collectors.joining(File.pathSeparator));
        List<Start> bare = new ArrayList<>();
        List<Start> locking = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            // By turns also who is first: a machine that gets slower or faster meanwhile favours neither.
            boolean bareFirst = round % 2 == 0;
            if (bareFirst) {
                bare.add(start(without, false));
            }
            locking.add(start(with, true));
            if (!bareFirst) {
                bare.add(start(without, false));
            }
        }
        System.out.println("Starting with the starter takes, median of " + ROUNDS + ":");
        compare("by the clock", bare, locking, Start::clockMillis);
        long cost = compare("processor time", bare, locking, Start::workMillis);
        assertThat(cost).isLessThan(GROSSLY_WRONG_MILLIS);
    }

    private static long compare(String what, List<Start> bare, List<Start> locking, ToLongFunction<Start> of) {
        long without = quantile(bare.stream().mapToLong(of), 0.5);
        long with = quantile(locking.stream().mapToLong(of), 0.5);
        // How far rounds differ says what the difference of the medians is worth.
        long[] more = IntStream.range(0, ROUNDS)
                .mapToLong(round -> of.applyAsLong(locking.get(round)) - of.applyAsLong(bare.get(round)))
                .toArray();
        System.out.printf(
                "  %s: %d ms more (%d ms instead of %d ms; half of the rounds between %d and %d ms more)%n",
                what,
                with - without,
                with,
                without,
                quantile(LongStream.of(more), 0.25),
                quantile(LongStream.of(more), 0.75));
        return with - without;
    }

    private static Start start(String classPath, boolean locks) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        ProbedApplication.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        String[] told = output.lines()
                .filter(line -> line.startsWith(ProbedApplication.READY))
                .findFirst()
                .orElseThrow(() -> new AssertionError(output))
                .substring(ProbedApplication.READY.length())
                .split(" ", -1);
        assertThat(told[2]).isEqualTo(String.valueOf(locks));
        return new Start(Long.parseLong(told[0]), Long.parseLong(told[1]));
    }

    private static Set<Path> ours() {
        return Stream.of(
                        Holdfast.class,
                        LettuceConnector.class,
                        JedisConnector.class,
                        LockMetrics.class,
                        ReactorResults.class,
                        HoldfastLifecycle.class,
                        HoldfastAutoConfiguration.class)
                .map(StartupCostTest::home)
                .collect(Collectors.toSet());
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long quantile(LongStream values, double share) {
        long[] sorted = values.sorted().toArray();
        return sorted[(int) (share * sorted.length)];
    }
}
