// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * What it costs to hold many leases that are renewed, in a JVM of its own.
 *
 * @param leases held at once
 * @param bytes heap per lease, its key included
 * @param cpuShare of one core, while nothing happens but renewals
 * @param lost leases not held any more at the end
 * @param seconds how long they were held after the last grant
 */
record HeldLeases(int leases, double bytes, double cpuShare, long lost, double seconds) {
    private static final int WARM_UP = 2_000;
    private static final int THREADS = 10;
    /** A thread's allocation buffer counts as used as a whole, and would be megabytes of this heap. */
    private static final List<String> JVM_OPTIONS = List.of("-Xmx1g", "-XX:TLABSize=32k", "-XX:-ResizeTLAB");

    /** Server, contender, number of leases and seconds to hold them. */
    public static void main(String[] args) throws InterruptedException {
        RedisAddress server = RedisAddress.parse(args[0]);
        RedisConnector connector = Entry.named(args[1]) == Entry.HOLDFAST_JEDIS
                ? JedisConnector.connect(server)
                : LettuceConnector.connect(server);
        try (Holdfast holdfast =
                Holdfast.builder().connector(connector).closeWait(Duration.ZERO).build()) {
            HeldLeases held = hold(holdfast, Integer.parseInt(args[2]), Long.parseLong(args[3]));
            System.out.println(held.toLine());
        }
        Runtime.getRuntime().halt(0);
    }

    static HeldLeases measure(String uri, Entry entry, int leases, Duration length) {
        List<String> arguments =
                List.of(uri, entry.toString(), Integer.toString(leases), Long.toString(length.toSeconds()));
        try (ChildJvm child = ChildJvm.start(HeldLeases.class, JVM_OPTIONS, arguments)) {
            return fromLine(child.answer(length.plusMinutes(3)));
        }
    }

    private static HeldLeases hold(Holdfast holdfast, int count, long seconds) throws InterruptedException {
        Lease[] first = new Lease[WARM_UP];
        acquire(holdfast, first, "warm-up:");
        Stream.of(first).forEach(Lease::close);
        Lease[] leases = new Lease[count];
        double before = heapAfterCollection();
        acquire(holdfast, leases, "held:");
        double bytes = (heapAfterCollection() - before) / count;
        long cpu = Crew.cpuNanos();
        long startedAt = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double elapsed = System.nanoTime() - startedAt;
        double share = (Crew.cpuNanos() - cpu) / elapsed;
        long lost = Stream.of(leases).filter(lease -> !lease.isHeld()).count();
        return new HeldLeases(count, bytes, share, lost, elapsed / 1e9);
    }

    private static void acquire(Holdfast holdfast, Lease[] leases, String prefix) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = Stream.generate(() -> new Thread(() -> {
                    for (int i = next.getAndIncrement(); i < leases.length; i = next.getAndIncrement()) {
                        leases[i] = holdfast.lock(prefix + i).acquire();
                    }
                }))
                .limit(THREADS)
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Asked of the runtime, because the first use of the memory's MXBean leaves megabytes of garbage itself. */
    private static double heapAfterCollection() {
        System.gc();
        System.gc();
        return (double)
                (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }

    private String toLine() {
        return leases + " " + bytes + " " + cpuShare + " " + lost + " " + seconds;
    }

    private static HeldLeases fromLine(String line) {
        String[] words = line.split(" ", -1);
        return new HeldLeases(
                Integer.parseInt(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                Long.parseLong(words[3]),
                Double.parseDouble(words[4]));
    }
}
