// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock that can be stepped while a process runs, without touching the machine's: a small library is preloaded into the
 * process and adds an offset to what {@code clock_gettime(CLOCK_REALTIME)}, {@code gettimeofday} and {@code time} answer.
 * Monotonic clocks stay as they are, so a JVM's {@code System.nanoTime()} is not changed. Thread-safe.
 *
 * <p>Redis and Valkey go by this clock for expiry, {@code TIME} and scripts. The server must be linked dynamically, or it
 * ignores the library: Redis 7.0.15 as shipped with {@code holdfast-embedded} is not. See that {@code TIME} follows before
 * relying on it.
 *
 * <p>Needs Linux, glibc and a C compiler; where there is none, {@link #build()} is empty and {@link #obstacle()} says why.
 */
public final class ClockShim implements AutoCloseable {
    private static final String VARIABLE = "HOLDFAST_CLOCK_OFFSET";

    private final Path library;
    private final Path folder;
    private final Path offset;

    private ClockShim(Path library) {
        this.library = library;
        try {
            this.folder = Files.createTempDirectory("holdfast-clock-");
            this.offset = folder.resolve("offset");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for a clock", e);
        }
        set(Duration.ZERO);
    }

    /** A clock of its own, not stepped yet. The library is compiled once in the life of a JVM. */
    public static Optional<ClockShim> build() {
        return ClockLibrary.get().library().map(ClockShim::new);
    }

    /** Why there can be no such clock here; empty when there can. */
    public static Optional<String> obstacle() {
        return ClockLibrary.get().obstacle();
    }

    /** Sets the clock so far ahead of the machine's, or behind it when negative; processes see that at once. */
    public void set(Duration ahead) {
        ByteBuffer nanos = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        nanos.putLong(0, ahead.toNanos());
        try (FileChannel file = FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(nanos, 0); // in one piece: nobody sees half of it
        } catch (IOException e) {
            throw new UncheckedIOException("cannot step the clock", e);
        }
    }

    /** What a process that is to go by this clock needs in its environment. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), VARIABLE, offset.toString());
    }

    /**
     * A script that runs that program by this clock, for those who can only name an executable, such as {@code
     * EmbeddedRedis.builder().server(path)}. It replaces itself by the program.
     */
    public Path around(Path program) {
        try {
            Path script = Files.createTempFile(
                    folder,
                    "run-",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            StringBuilder text = new StringBuilder("#!/bin/sh\n");
            environment().forEach((name, value) -> text.append("export " + name + "=" + quoted(value) + "\n"));
            text.append("exec " + quoted(program.toAbsolutePath().toString()) + " \"$@\"\n");
            return Files.writeString(script, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a script around " + program, e);
        }
    }

    /** Deletes its files; processes that run by it keep the clock as it is. */
    @Override
    public void close() {
        Folders.delete(folder);
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
