// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Stands still until moved. */
final class HandClock implements MonotonicClock {
    private final AtomicLong now;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<Runnable> afterNextLook = new AtomicReference<>(() -> {});

    HandClock() {
        this(0);
    }

    HandClock(long start) {
        now = new AtomicLong(start);
    }

    @Override
    public long nanoTime() {
        long read = now.get();
        afterNextLook.getAndSet(() -> {}).run();
        return read;
    }

    /** Lets something happen between the next look at this clock and what its reader does then. Once. */
    void afterNextLook(Runnable action) {
        afterNextLook.set(action);
    }

    @Override
    public void onMoved(Runnable listener) {
        listeners.add(listener);
    }

    /** Time goes by before the timer gets to run, as after a pause. */
    void advanceUnnoticed(Duration by) {
        now.addAndGet(by.toNanos());
    }

    void advance(Duration by) {
        advanceUnnoticed(by);
        listeners.forEach(Runnable::run);
    }
}
