// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The commands a server runs, as {@code MONITOR} shows them: one line each, e.g. {@code 1731.5 [0 127.0.0.1:50] "GET" "a"};
 * commands inside scripts say {@code lua} in place of the address. Thread-safe; the reading thread ends with {@link #close()}.
 */
public final class Monitor implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final RawRedis connection;
    private final RawRedis marker;
    // Guarded by this.
    private final List<String> lines = new ArrayList<>();
    private @Nullable String awaitedMark;

    Monitor(RawRedis connection, RawRedis marker) {
        this.connection = connection;
        this.marker = marker;
        Thread reader = new Thread(this::read, "holdfast-monitor");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * What the server has run so far, oldest first. A line arrives some time after its command was answered, so a command of
     * this monitor's own is sent last, and waited for.
     */
    public synchronized List<String> lines() {
        String mark = UUID.randomUUID().toString();
        awaitedMark = mark;
        marker.call("ECHO", mark);
        long giveUpAt = System.nanoTime() + PATIENCE;
        while (awaitedMark != null) {
            long left = giveUpAt - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException("MONITOR does not show what the server runs");
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for MONITOR", e);
            }
        }
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        connection.close();
        marker.close();
    }

    private void read() {
        try {
            connection.waitForEver();
            while (true) {
                add(String.valueOf(connection.read()));
            }
        } catch (IOException e) {
            // closed here, or by the server
        }
    }

    private synchronized void add(String line) {
        if (awaitedMark != null && line.contains(awaitedMark)) {
            awaitedMark = null;
            notifyAll();
        } else {
            lines.add(line);
        }
    }
}
