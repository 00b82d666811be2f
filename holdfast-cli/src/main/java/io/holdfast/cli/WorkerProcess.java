// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import io.holdfast.testkit.history.HistoryTail;
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
import java.util.function.Consumer;

/** A worker in a JVM of its own, as whoever started it sees it. Not thread-safe, but for {@link #destroy}. */
public final class WorkerProcess {
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

    /**
     * What to start.
     *
     * @param run makes the files of a restarted worker differ from those of the one before
     * @param folder where its history goes
     * @param arguments of this program, but for its history
     */
    public record Launch(String name, int run, Path folder, List<String> arguments) {
        private Path file(String suffix) {
            return folder.resolve(name + "." + run + suffix);
        }
    }

    /** Starts one, and tells it the first line: an address may have a password, which is not for the command line. */
    public static WorkerProcess start(Launch launch, String firstLine) {
        Path history = launch.file(History.SUFFIX);
        Path errors = launch.file(".err");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(QUICK_START);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(launch.arguments);
        line.addAll(List.of("--history", history.toString()));
        try {
            Process process = new ProcessBuilder(line)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(errors.toFile())
                    .start();
            WorkerProcess worker = new WorkerProcess(launch.name, process, errors, new HistoryTail(history));
            worker.tell(firstLine);
            return worker;
        } catch (IOException e) {
            throw new CommandFailure("cannot start a worker: " + e.getMessage(), e);
        }
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it ended with; only of one that has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** What it recorded since the last call. */
    List<Event> news() {
        return tail.next();
    }

    /** The same, one after the other. */
    public void news(Consumer<Event> reader) {
        tail.next(reader);
    }

    /** Sends a line; one that is dead does not hear it. */
    public void tell(String line) {
        try {
            commands.write(line + "\n");
            commands.flush();
        } catch (IOException e) {
            return;
        }
    }

    /** SIGKILL. */
    public void destroy() {
        process.destroyForcibly();
    }

    public boolean waitFor(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** SIGKILL, and the record of it: when it was sent, and when the process was certainly dead. */
    public Event kill(String lock) {
        Event sent = Event.of(Kind.KILLED, pid()).withLock(lock);
        destroy();
        waitFor(TimeUnit.SECONDS.toMillis(5));
        return sent.withValue(System.nanoTime());
    }

    /** The last thing it complained of. */
    public String lastWords() {
        try {
            List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
            return lines.isEmpty() ? "exit code " + process.exitValue() : lines.get(lines.size() - 1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + errors, e);
        }
    }
}
