// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What one process contributed to a turn, as it travels to the parent in one line of text.
 *
 * @param grants in the measured window, of each thread
 * @param cpuNanos CPU time of the process in the window
 * @param waits nanoseconds from asking to grant
 */
record Share(List<Long> grants, long cpuNanos, Histogram waits) {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** One thread's. */
    record Part(long grants, Histogram waits) {}

    static Histogram histogram() {
        return new Histogram(LONGEST_NANOS, 3);
    }

    static Share of(List<Part> parts, long cpuNanos) {
        return new Share(
                parts.stream().map(Part::grants).toList(),
                cpuNanos,
                merge(parts.stream().map(Part::waits).toList()));
    }

    static Histogram merge(List<Histogram> parts) {
        Histogram all = histogram();
        parts.forEach(all::add);
        return all;
    }

    long total() {
        return grants.stream().mapToLong(Long::longValue).sum();
    }

    String toLine() {
        ByteBuffer bytes = ByteBuffer.allocate(waits.getNeededByteBufferCapacity());
        int length = waits.encodeIntoCompressedByteBuffer(bytes);
        String packed = Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
        return grants.stream().map(String::valueOf).collect(Collectors.joining(",")) + " " + cpuNanos + " " + packed;
    }

    static Share fromLine(String line) {
        String[] words = line.split(" ", 3);
        List<Long> grants =
                Stream.of(words[0].split(",", -1)).map(Long::valueOf).toList();
        try {
            ByteBuffer packed = ByteBuffer.wrap(Base64.getDecoder().decode(words[2]));
            return new Share(grants, Long.parseLong(words[1]), Histogram.decodeFromCompressedByteBuffer(packed, 0));
        } catch (DataFormatException e) {
            throw new IllegalStateException("a worker's histogram is damaged", e);
        }
    }
}
