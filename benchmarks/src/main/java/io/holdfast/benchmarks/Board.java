// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that all processes of a turn share, a file mapped by each: what phase the turn is in, and who is inside which
 * lock. Thread-safe.
 *
 * <p>The phase is read before every acquisition, so that all threads of all processes count in one common window. Whoever
 * enters a critical section leaves his mark in the lock's cell by an atomic exchange and must find it empty; whoever leaves
 * must find his own mark. Two sections that overlap therefore can't go unnoticed, however short they are: a lock that does
 * not exclude is not fast but wrong.
 */
final class Board {
    /** In this order. */
    enum Phase {
        WAIT(0),
        WARM_UP(1),
        MEASURE(2),
        STOP(3);

        private final long code;

        Phase(long code) {
            this.code = code;
        }
    }

    static final int LOCKS = 64;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int CACHE_LINE = 64;
    private static final int PHASE = 0;
    private static final int OVERLAPS = CACHE_LINE;
    private static final int CELLS = 2 * CACHE_LINE;
    private static final int SIZE = CELLS + LOCKS * CACHE_LINE;

    private final ByteBuffer memory;

    private Board(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Opens the one in that file, which may be empty. */
    static Board in(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Board(channel.map(MapMode.READ_WRITE, 0, SIZE));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share memory through " + file, e);
        }
    }

    /** For the threads of one process. */
    static Board inMemory() {
        return new Board(ByteBuffer.allocateDirect(SIZE).alignedSlice(Long.BYTES));
    }

    /** Before a turn: nobody is inside, nothing happened. */
    void clear() {
        phase(Phase.WAIT);
        LONG.setVolatile(memory, OVERLAPS, 0L);
        for (int lock = 0; lock < LOCKS; lock++) {
            LONG.setVolatile(memory, cell(lock), 0L);
        }
    }

    void phase(Phase next) {
        LONG.setVolatile(memory, PHASE, next.code);
    }

    Phase phase() {
        int code = (int) (long) LONG.getVolatile(memory, PHASE);
        return switch (code) {
            case 0 -> Phase.WAIT;
            case 1 -> Phase.WARM_UP;
            case 2 -> Phase.MEASURE;
            default -> Phase.STOP;
        };
    }

    /** How often two were inside at once. */
    long overlaps() {
        return (long) LONG.getVolatile(memory, OVERLAPS);
    }

    /**
     * A thread that has the lock goes in.
     *
     * @param mark this thread's own, unlike any other's and not 0
     */
    void enter(int lock, long mark) {
        exchange(lock, mark, 0);
    }

    /** The same thread leaves, before it gives the lock back. */
    void leave(int lock, long mark) {
        exchange(lock, 0, mark);
    }

    private void exchange(int lock, long mark, long expected) {
        long found = (long) LONG.getAndSet(memory, cell(lock), mark);
        if (found != expected) {
            LONG.getAndAdd(memory, OVERLAPS, 1L);
        }
    }

    private static int cell(int lock) {
        return CELLS + lock * CACHE_LINE;
    }
}
