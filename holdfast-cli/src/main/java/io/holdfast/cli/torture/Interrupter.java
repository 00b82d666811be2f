// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Interrupts threads in the middle of what they do. Thread-safe. */
final class Interrupter {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "interrupter");
        thread.setDaemon(true);
        return thread;
    });

    /** Interrupts the calling thread after a while, unless it has closed the alarm by then. */
    Alarm interruptIn(int millis) {
        Thread caller = Thread.currentThread();
        return new Alarm(timer.schedule(caller::interrupt, millis, TimeUnit.MILLISECONDS));
    }

    /** An interrupt to come; one that strikes while it is closed leaves the thread's flag set. */
    record Alarm(ScheduledFuture<?> interrupt) implements AutoCloseable {
        @Override
        public void close() {
            interrupt.cancel(false);
        }
    }
}
