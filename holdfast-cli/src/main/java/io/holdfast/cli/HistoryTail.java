// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reads a history while another process writes it. Not thread-safe. */
final class HistoryTail {
    private static final int CHUNK = 1 << 16;

    private final Path file;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long position;

    HistoryTail(Path file) {
        this.file = file;
    }

    /** The records completed since the last call; none as long as there is no file. */
    List<Event> next() {
        List<Event> events = new ArrayList<>();
        if (!Files.exists(file)) {
            return events;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
            while (channel.read(chunk, position) > 0) {
                position += chunk.position();
                chunk.flip();
                split(chunk, events);
                chunk.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the history " + file, e);
        }
        return events;
    }

    private void split(ByteBuffer chunk, List<Event> events) {
        while (chunk.hasRemaining()) {
            byte next = chunk.get();
            if (next == '\n') {
                events.add(Event.parse(line.toString(StandardCharsets.US_ASCII)));
                line.reset();
            } else {
                line.write(next);
            }
        }
    }
}
