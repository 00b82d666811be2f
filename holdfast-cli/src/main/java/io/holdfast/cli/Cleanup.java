// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What has to be undone, last first: at the end, after a failure, and on Ctrl-C or SIGTERM, when the JVM runs this as its
 * shutdown hook. Once it has begun nothing more can be made. Thread-safe.
 */
public final class Cleanup implements AutoCloseable {
    private final Thread hook = new Thread(this::undo, "holdfast-cleanup");

    // Guarded by this.
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private boolean begun;

    /** From now on an end of the JVM undoes what was made. */
    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Makes something and remembers how to undo it, with no gap for a Ctrl-C in between. */
    public synchronized <T> T make(Supplier<T> maker, Consumer<T> undoer) {
        if (begun) {
            throw new CommandFailure("interrupted", null);
        }
        T made = maker.get();
        steps.push(() -> undoer.accept(made));
        return made;
    }

    private synchronized void undo() {
        begun = true;
        while (!steps.isEmpty()) {
            undo(steps.pop());
        }
    }

    private static void undo(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            return; // the other steps matter as much
        }
    }

    @Override
    public void close() {
        undo();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the JVM is shutting down: the hook runs, and finds nothing to do
        }
    }
}
