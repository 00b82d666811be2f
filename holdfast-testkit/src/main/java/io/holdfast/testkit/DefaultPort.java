// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.embedded.EmbeddedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A server at {@code localhost:6379}, for tests of what happens when no address is given. Builds side by side take turns; a
 * server that is there already is somebody's own and is left alone.
 */
public final class DefaultPort implements AutoCloseable {
    private static final int PORT = 6379;

    private final FileChannel turn;
    private final EmbeddedRedis server;

    private DefaultPort(FileChannel turn, EmbeddedRedis server) {
        this.turn = turn;
        this.server = server;
    }

    /** Empty when the port is taken: skip the test then. */
    public static Optional<DefaultPort> claim() {
        Path file = Path.of(System.getProperty("java.io.tmpdir", "."), "holdfast-port-" + PORT + ".lock");
        try {
            FileChannel turn = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            turn.lock(); // given back by close
            if (isFree()) {
                return Optional.of(
                        new DefaultPort(turn, EmbeddedRedis.builder().port(PORT).start()));
            }
            turn.close();
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server. */
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
        try {
            turn.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree() {
        try (ServerSocket probe = new ServerSocket(PORT, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
