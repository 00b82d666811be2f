// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One process's append-only file of {@link Event}s. Every record is one write to the system, with no buffer of this
 * process in between, so that a SIGKILL loses nothing that was recorded. Thread-safe.
 */
final class History implements AutoCloseable {
    static final String SUFFIX = ".history";

    private final OutputStream out;

    private History(OutputStream out) {
        this.out = out;
    }

    static History create(Path file) {
        try {
            return new History(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history " + file, e);
        }
    }

    void record(Event event) {
        byte[] line = (event.line() + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            synchronized (this) {
                out.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history", e);
        }
    }

    /** All records of all histories in a folder; a last line without its end was never completed and does not count. */
    static List<Event> readAll(Path folder) {
        List<Event> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(SUFFIX)).sorted().toList()) {
                all.addAll(new HistoryTail(file).next());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the histories in " + folder, e);
        }
        return all;
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
