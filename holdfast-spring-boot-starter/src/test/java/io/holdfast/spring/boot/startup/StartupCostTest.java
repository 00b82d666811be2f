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
 * What the starter adds to the start of an application, in fresh JVMs, with and without it by turns: printed, by the clock, in
 * processor time, which other work on the machine disturbs less, and in classes loaded, of which the JVM itself makes some more or
 * fewer each time. Compared within each round first. Takes a while, so it waits to be asked:
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

    private record Start(long clockMillis, long workMillis, long processMillis, long classes) {}

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
        compare("ms by the clock", bare, locking, Start::clockMillis);
        long cost = compare("ms of the main thread", bare, locking, Start::workMillis);
        compare("ms of all threads, the compiler's too", bare, locking, Start::processMillis);
        compare("classes", bare, locking, Start::classes);
        assertThat(cost).isLessThan(GROSSLY_WRONG_MILLIS);
    }

    private static long compare(String what, List<Start> bare, List<Start> locking, ToLongFunction<Start> of) {
        long[] more = IntStream.range(0, ROUNDS)
                .mapToLong(round -> of.applyAsLong(locking.get(round)) - of.applyAsLong(bare.get(round)))
                .toArray();
        long cost = quantile(LongStream.of(more), 0.5);
        // How far rounds differ says what their median is worth.
        System.out.printf(
                "  %d more %s (half of the rounds between %d and %d; %d instead of %d, each by its own median; %d instead of %d, each by"
                        + " its own lower quartile)%n",
                cost,
                what,
                quantile(LongStream.of(more), 0.25),
                quantile(LongStream.of(more), 0.75),
                quantile(locking.stream().mapToLong(of), 0.5),
                quantile(bare.stream().mapToLong(of), 0.5),
                // Whatever disturbs a start makes it longer: the quicker ones say most where much disturbs.
                quantile(locking.stream().mapToLong(of), 0.25),
                quantile(bare.stream().mapToLong(of), 0.25));
        return cost;
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
        assertThat(told[4]).isEqualTo(String.valueOf(locks));
        return new Start(
                Long.parseLong(told[0]), Long.parseLong(told[1]), Long.parseLong(told[2]), Long.parseLong(told[3]));
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
