// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.cli.Event.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link DemoWorker} in a JVM of its own, as the demo sees it. Not thread-safe, but for {@link #destroy}. */
final class WorkerProcess {
    private static final List<String> QUICK_START =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx64m");

    private final String name;
    private final Process process;
    private final Path errors;
    private final HistoryTail tail;
    private final Writer commands;

    private WorkerProcess(String name, Process process, Path errors, HistoryTail tail) {
        this.name = name;
        this.process = process;
        this.errors = errors;
        this.tail = tail;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts one; {@code run} makes the files of a restarted worker differ from those of the one before. */
    static WorkerProcess start(String name, int run, Demo.Settings settings, Demo.Place place) {
        Path history = place.folder().resolve(name + "." + run + History.SUFFIX);
        Path errors = place.folder().resolve(name + "." + run + ".err");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(QUICK_START);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "demo-worker"));
        line.addAll(List.of("--history", history.toString(), "--prefix", place.prefix()));
        line.addAll(List.of("--locks", Integer.toString(settings.locks())));
        line.addAll(List.of("--seed", Long.toString(settings.seed() * 31 + (name + run).hashCode())));
        if (settings.history() == null) {
            line.add("--scratch");
        }
        if (settings.skipLocks()) {
            line.add("--skip-locks");
        }
        try {
            Process process = new ProcessBuilder(line)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(errors.toFile())
                    .start();
            WorkerProcess worker = new WorkerProcess(name, process, errors, new HistoryTail(history));
            worker.tell(place.uri());
            return worker;
        } catch (IOException e) {
            throw new CommandFailure("cannot start a worker: " + e.getMessage(), e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it recorded since the last call. */
    List<Event> news() {
        return tail.next();
    }

    /** Sends a line; one that is dead does not hear it. */
    void tell(String line) {
        try {
            commands.write(line + "\n");
            commands.flush();
        } catch (IOException e) {
            return;
        }
    }

    /** SIGKILL. */
    void destroy() {
        process.destroyForcibly();
    }

    boolean waitFor(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** SIGKILL, and the record of it: when it was sent, and when the process was certainly dead. */
    Event kill(String lock, long token) {
        long sentAt = System.nanoTime();
        destroy();
        waitFor(TimeUnit.SECONDS.toMillis(5));
        return new Event(sentAt, Kind.KILLED, pid(), lock, token, System.nanoTime());
    }

    /** The last thing it complained of. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
            return lines.isEmpty() ? "exit code " + process.exitValue() : lines.get(lines.size() - 1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + errors, e);
        }
    }
}
