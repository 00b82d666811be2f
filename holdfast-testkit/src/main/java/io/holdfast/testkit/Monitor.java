// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The commands a server runs, as {@code MONITOR} shows them: one line each, e.g. {@code 1731.5 [0 127.0.0.1:50] "GET" "a"};
 * commands inside scripts say {@code lua} in place of the address. A line arrives shortly after the command's own reply, so
 * await it. Thread-safe; the reading thread ends with {@link #close()}.
 */
public final class Monitor implements AutoCloseable {
    private final RawRedis connection;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    Monitor(RawRedis connection) {
        this.connection = connection;
        Thread reader = new Thread(this::read, "holdfast-monitor");
        reader.setDaemon(true);
        reader.start();
    }

    /** What came so far, oldest first: a live view. */
    public List<String> lines() {
        return lines;
    }

    /** Forgets what came so far. */
    public void clear() {
        lines.clear();
    }

    @Override
    public void close() {
        connection.close();
    }

    private void read() {
        try {
            connection.waitForEver();
            while (true) {
                lines.add(String.valueOf(connection.read()));
            }
        } catch (IOException e) {
            // closed here, or by the server
        }
    }
}
