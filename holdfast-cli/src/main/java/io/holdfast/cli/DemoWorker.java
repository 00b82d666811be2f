// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One worker process of the demo: a thread for each order, all of them contending with the other workers. Its standard
 * input is a pipe from the demo: first the address (which may hold a password, so it is no argument), then commands. End
 * of input without {@code stop} means that the demo is dead: the worker then takes away what both would leave behind.
 */
@Command(name = "demo-worker", hidden = true, description = "One worker of the demo; started by it.")
final class DemoWorker implements Callable<Integer> {
    static final String STOP = "stop";
    static final String LINGER = "linger ";

    @Option(names = "--history", required = true)
    private Path history = Path.of("");

    @Option(names = "--prefix", required = true)
    private String prefix = "";

    @Option(names = "--locks", required = true)
    private int locks;

    @Option(names = "--seed", required = true)
    private long seed;

    @Option(names = "--scratch", description = "The folder of the history is a temporary one.")
    private boolean scratch;

    @Option(names = "--skip-locks", description = "Break mutual exclusion, to see the verdict find it.")
    private boolean skipLocks;

    @Override
    public Integer call() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String uri = in.readLine();
        if (uri == null) {
            return 2;
        }
        RedisAddress address = Redis.address(uri);
        boolean stopped;
        try (History records = History.create(history);
                Holdfast holdfast = Holdfast.builder()
                        .connector(JedisConnector.builder()
                                .address(address)
                                .maxTotal(locks + 5)
                                .build())
                        .keyPrefix(prefix)
                        .closeWait(Duration.ofMillis(500))
                        .build()) {
            stopped = contend(holdfast, records, in);
        }
        if (!stopped) {
            Redis.deleteKeys(address, prefix);
            if (scratch) {
                Folders.delete(history.toAbsolutePath().getParent());
            }
        }
        return 0;
    }

    /** Works until told to stop; false if the demo died instead. */
    private boolean contend(Holdfast holdfast, History records, BufferedReader in)
            throws IOException, InterruptedException {
        List<OrderLoop> loops = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (String lock : Demo.orders(locks)) {
            String key = skipLocks ? lock + ":" + ProcessHandle.current().pid() : lock;
            OrderLoop loop = new OrderLoop(
                    holdfast,
                    records,
                    new OrderLoop.Order(lock, key, Demo.valueKey(prefix, lock)),
                    seed + loops.size());
            loops.add(loop);
            threads.add(new Thread(loop, lock));
        }
        long pid = ProcessHandle.current().pid();
        records.record(Event.of(Kind.LEASE, pid).withValue(Demo.TTL.toNanos()));
        records.record(Event.of(Kind.READY, pid));
        threads.forEach(Thread::start);
        String command = in.readLine();
        while (command != null && !command.equals(STOP)) {
            String line = command;
            loops.stream()
                    .filter(loop -> line.equals(LINGER + loop.lock()))
                    .findFirst()
                    .ifPresent(OrderLoop::lingerNext);
            command = in.readLine();
        }
        loops.forEach(OrderLoop::stop);
        boolean stopped = command != null;
        // With the demo its server may have gone, and whoever waits for a lock then waits in vain.
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stopped ? 5_000 : 500);
        for (Thread thread : threads) {
            thread.join(1 + Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        records.record(Event.of(Kind.ENDED, pid));
        return stopped;
    }
}
