// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One process's append-only file of {@link Event}s. Every record is one write to the system, with no buffer of this
 * process in between, so that a SIGKILL loses nothing that was recorded. Thread-safe.
 */
public final class History implements AutoCloseable {
    /** How the files' names end. */
    public static final String SUFFIX = ".history";

    private final OutputStream out;
    private final AtomicLong ops = new AtomicLong();

    private History(OutputStream out) {
        this.out = out;
    }

    /** Begins a new file. */
    public static History create(Path file) {
        try {
            return new History(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history " + file, e);
        }
    }

    /** Writes a line. */
    public void record(Event event) {
        byte[] line = (event.line() + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            synchronized (this) {
                out.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history", e);
        }
    }

    /** The next acquire of this process, by its number. */
    public Operation next(String lock) {
        return new Operation(this, ops.incrementAndGet(), lock);
    }

    /** All records of all histories in a folder; a last line without its end was never completed and does not count. */
    public static List<Event> readAll(Path folder) {
        List<Event> all = new ArrayList<>();
        readAll(folder, all::add);
        return all;
    }

    /** The same, one after the other: those of a file in their order. */
    public static void readAll(Path folder, Consumer<Event> reader) {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .forEach(file -> new HistoryTail(file).next(reader));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the histories in " + folder, e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the history", e);
        }
    }
}
