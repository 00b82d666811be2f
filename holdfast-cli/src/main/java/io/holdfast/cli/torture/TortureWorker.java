// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.Holdfast;
import io.holdfast.cli.Redis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.history.Event;
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
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One worker process of a torture run. The first line of its input is the server's address, a line "stop" its end; if the input
 * ends without one, whoever started it is gone and nobody reads the records any more.
 */
@Command(name = "torture-worker", hidden = true, description = "Used by 'holdfast torture'.")
public final class TortureWorker implements Callable<Integer> {
    static final String STOP = "stop";
    /** What it exits with when threads of Holdfast outlive it. */
    static final int LEAKED = 3;

    /** What it exits with when something is wrong with the worker itself. */
    private static final int BROKEN = 4;

    private static final int THREADS = 4;
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    @Option(names = "--history", required = true)
    private Path history = Path.of("");

    @Option(names = "--register", required = true)
    private Path register = Path.of("");

    @Option(names = "--connector", required = true)
    private String connector = "";

    @Option(names = "--prefix", required = true)
    private String prefix = "";

    @Option(names = "--skip-locks")
    private boolean skipLocks;

    @Option(names = "--seed", required = true)
    private long seed;

    /** For picocli. */
    public TortureWorker() {}

    @Override
    public Integer call() throws IOException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            System.err.println(thread.getName() + ": " + failure); // last: these words are what is shown of it
            Runtime.getRuntime().halt(BROKEN); // a thread less would make the run look calmer than it is
        });
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String uri = in.readLine();
        if (uri == null) {
            return 2;
        }
        try (History records = History.create(history);
                Holdfast holdfast = Holdfast.builder()
                        .connector(connect(Redis.address(uri).withTimeout(COMMAND_TIMEOUT)))
                        .keyPrefix(prefix)
                        .closeWait(CLOSE_WAIT)
                        .build()) {
            contend(holdfast, records, in);
        }
        List<String> leaked = threadsAfterClose();
        leaked.forEach(name -> System.err.println("still there after close(): " + name));
        return leaked.isEmpty() ? 0 : LEAKED;
    }

    private RedisConnector connect(RedisAddress address) {
        return connector.equals("lettuce") ? LettuceConnector.connect(address) : JedisConnector.connect(address);
    }

    private void contend(Holdfast holdfast, History records, BufferedReader in) throws IOException {
        Contender.Shared shared =
                new Contender.Shared(SharedRegister.open(register, Torture.LOCKS), new Interrupter(), skipLocks);
        List<Contender> contenders = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Contender contender = new Contender(holdfast, records, shared, seed * 31 + i);
            contenders.add(contender);
            threads.add(new Thread(contender, "contender-" + i));
        }
        records.record(Event.of(Event.Kind.READY, ProcessHandle.current().pid()));
        threads.forEach(Thread::start);
        String line = in.readLine();
        while (line != null && !line.equals(STOP)) {
            line = in.readLine();
        }
        contenders.forEach(Contender::stop);
        threads.forEach(TortureWorker::join);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Holdfast's threads that have not ended a while after it was closed. */
    private static List<String> threadsAfterClose() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        List<String> alive = ofHoldfast();
        while (!alive.isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            alive = ofHoldfast();
        }
        return alive;
    }

    private static List<String> ofHoldfast() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast") || name.startsWith("lettuce"))
                .toList();
    }
}
