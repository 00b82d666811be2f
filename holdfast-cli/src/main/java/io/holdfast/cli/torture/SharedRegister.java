// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the locks protect: for each of them the highest fencing token that has written so far. It lies in memory that all
 * workers share, away from the server that is tortured: whatever that forgets, this does not. A write is one atomic exchange, so
 * a process that is killed has written or has not. Thread-safe.
 */
final class SharedRegister {
    private static final VarHandle TOKEN = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer tokens;

    private SharedRegister(ByteBuffer tokens) {
        this.tokens = tokens;
    }

    /** Opens the file, or makes it. */
    static SharedRegister open(Path file, int locks) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedRegister(channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) locks * Long.BYTES)
                    .order(ByteOrder.nativeOrder()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share " + file, e);
        }
    }

    /** Writes unless a higher token has written before; the holder's own may write again. */
    boolean write(int lock, long token) {
        int at = lock * Long.BYTES;
        long last = (long) TOKEN.getVolatile(tokens, at);
        while (last <= token) {
            if (TOKEN.compareAndSet(tokens, at, last, token)) {
                return true;
            }
            last = (long) TOKEN.getVolatile(tokens, at);
        }
        return false;
    }
}
