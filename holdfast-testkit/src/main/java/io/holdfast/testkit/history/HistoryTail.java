// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

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
import java.util.function.Consumer;

/** Reads a history while another process writes it. Not thread-safe. */
public final class HistoryTail {
    private static final int CHUNK = 1 << 16;

    private final Path file;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long position;

    /** Reads that file from its beginning, once there is one. */
    public HistoryTail(Path file) {
        this.file = file;
    }

    /** The records completed since the last call; none as long as there is no file. */
    public List<Event> next() {
        List<Event> events = new ArrayList<>();
        next(events::add);
        return events;
    }

    /** The same, without keeping them. */
    public void next(Consumer<Event> reader) {
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
            while (channel.read(chunk, position) > 0) {
                position += chunk.position();
                split(chunk.array(), chunk.position(), reader);
                chunk.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the history " + file, e);
        }
    }

    private void split(byte[] chunk, int length, Consumer<Event> reader) {
        int begin = 0;
        for (int i = 0; i < length; i++) {
            if (chunk[i] == '\n') {
                line.write(chunk, begin, i - begin);
                reader.accept(Event.parse(line.toString(StandardCharsets.US_ASCII)));
                line.reset();
                begin = i + 1;
            }
        }
        line.write(chunk, begin, length - begin);
    }
}
