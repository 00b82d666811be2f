// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A JVM with this one's class path that talks in lines. Ends when it is closed, and when this JVM does. Not thread-safe. */
final class ChildJvm implements AutoCloseable {
    private static final String END = "the end of the process";

    private final String name;
    private final Process process;
    private final Writer orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread killer;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        // Ctrl-C reaches the children of a terminal, but not SIGTERM; and a busy one may be slow to see its input end.
        this.killer = new Thread(process::destroyForcibly, "kill " + name);
        Runtime.getRuntime().addShutdownHook(killer);
        Thread reader = new Thread(this::read, "answers of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts one: everybody gets the same JVM, and a collector without threads of its own. */
    static ChildJvm start(Class<?> main, List<String> options, List<String> arguments) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("-XX:+UseSerialGC");
        line.addAll(options);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        line.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(line).redirectError(Redirect.INHERIT).start();
            return new ChildJvm(main.getSimpleName() + " " + process.pid(), process);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a JVM for " + main.getSimpleName(), e);
        }
    }

    /** The child's side: takes one order after the other until the parent is gone, and ends the JVM then, busy or not. */
    static void endWithParent(Consumer<String> orders) throws IOException {
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        Thread worker = new Thread(
                () -> {
                    try {
                        while (true) {
                            orders.accept(queue.take());
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "worker");
        worker.setDaemon(true);
        worker.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            queue.add(line);
        }
        Runtime.getRuntime().halt(0);
    }

    void tell(String order) {
        try {
            orders.write(order + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not listen any more", e);
        }
    }

    /** The next line it says. */
    String answer(Duration patience) {
        try {
            String line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null || line.equals(END)) {
                throw new IllegalStateException(name + (line == null ? " is silent for " + patience : " ended"));
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(5, TimeUnit.SECONDS).join();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            return; // the JVM is shutting down, and the hook runs anyway
        }
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            in.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException e) {
            // closed here
        } finally {
            answers.add(END);
        }
    }
}
