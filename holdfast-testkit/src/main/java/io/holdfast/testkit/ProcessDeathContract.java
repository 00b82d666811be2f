// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A holder in a JVM of its own, with the connector on this class path: its watchdog ends with it. */
public abstract class ProcessDeathContract extends ServerContract {
    private static final Duration TTL = Duration.ofSeconds(3);

    private final List<Process> holders = new ArrayList<>();

    @AfterEach
    void endHolders() {
        holders.forEach(Process::destroyForcibly);
    }

    @Test
    void holderKilled_itsLockIsFreeAfterTheTtl() throws Exception {
        Process holder = startHolder("forever");
        pass(TTL.plusMillis(500));
        assertThat(locks.tryLock(key, TTL)).as("renewed beyond its TTL").isEmpty();

        holder.destroyForcibly();

        long start = System.nanoTime();
        assertThat(locks.tryLock(key, TTL, Duration.ofSeconds(20))).isPresent();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TTL.plusSeconds(8));
    }

    @Test
    void holdersMainEnds_theWatchdogDoesNotKeepTheProcessAlive() throws Exception {
        Process holder = startHolder("return");

        assertThat(holder.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(holder.exitValue()).isZero();
        eventually().until(() -> !backdoor.exists(lockKey()));
    }

    private Process startHolder(String then) throws IOException {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        redis().server().uri(),
                        key,
                        then)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        holders.add(holder);
        BufferedReader out = new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("held");
        return holder;
    }

    /** Holds a lock and stays, or returns from main without having released it. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            Holdfast locks = Holdfast.connect(args[0]);
            DistributedLock lock =
                    locks.lock(args[1], options -> options.ttl(TTL).renew(true));
            lock.lock();
            System.out.println("held");
            if (args[2].equals("forever")) {
                while (System.in.read() >= 0) {
                    // until it is killed
                }
            }
        }
    }
}
