// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Stands still until moved. */
final class HandClock implements MonotonicClock {
    private final AtomicLong now;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    HandClock() {
        this(0);
    }

    HandClock(long start) {
        now = new AtomicLong(start);
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    @Override
    public void onMoved(Runnable listener) {
        listeners.add(listener);
    }

    void advance(Duration by) {
        now.addAndGet(by.toNanos());
        listeners.forEach(Runnable::run);
    }
}
