// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a fresh JVM needs for its first lock.
 *
 * @param millis from {@code main} to the grant
 * @param threads of the whole JVM afterwards, its own ones included
 * @param connections to the server
 */
record FirstGrant(double millis, int threads, long connections) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Some open connections and start threads for a while after they have answered. */
    private static final Duration SETTLING = Duration.ofMillis(500);

    /** Server and contender. Answers the time at once, and the number of threads when asked. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long startedAt = System.nanoTime();
        Contender contender = Entry.valueOf(args[1]).open(RedisAddress.parse(args[0]));
        Contender.Grant grant = contender.acquire("first");
        System.out.println(System.nanoTime() - startedAt);
        for (int asked = System.in.read(); asked >= 0; asked = System.in.read()) {
            if (asked == '\n') {
                System.out.println(ManagementFactory.getThreadMXBean().getThreadCount());
            }
        }
        grant.release();
        Runtime.getRuntime().halt(0);
    }

    static FirstGrant measure(String uri, Entry entry, ServerView view) throws InterruptedException {
        view.clear();
        while (view.connections() > 0) { // of whoever was measured before; the server sees them go one by one
            TimeUnit.MILLISECONDS.sleep(20);
        }
        try (ChildJvm child = ChildJvm.start(FirstGrant.class, List.of("-Xmx256m"), List.of(uri, entry.name()))) {
            double millis = Long.parseLong(child.answer(PATIENCE)) / 1e6;
            TimeUnit.MILLISECONDS.sleep(SETTLING.toMillis());
            long connections = view.connections();
            child.tell("threads");
            return new FirstGrant(millis, Integer.parseInt(child.answer(PATIENCE)), connections);
        }
    }
}
