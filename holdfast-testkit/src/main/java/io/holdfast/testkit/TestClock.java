// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that is moved by hand: it runs with real time or stands still, and jumps ahead when told. A jump is what a process
 * sees that was paused that long: whatever was due in between is late. Thread-safe.
 *
 * <p>On a clock that stands still, nothing that waits ends by itself: neither a timed acquire nor a command without an
 * answer. Let such a call run on a thread of its own, or asynchronously, and {@link #advance} here.
 */
public final class TestClock implements MonotonicClock {
    private final boolean ticking;
    private final long origin = System.nanoTime();
    private final AtomicLong moved = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private TestClock(boolean ticking) {
        this.ticking = ticking;
    }

    /** Runs with real time. */
    public static TestClock ticking() {
        return new TestClock(true);
    }

    /** Stands still between two calls of {@link #advance}. */
    public static TestClock frozen() {
        return new TestClock(false);
    }

    @Override
    public long nanoTime() {
        return (ticking ? System.nanoTime() : origin) + moved.get();
    }

    /**
     * Jumps ahead.
     *
     * @throws IllegalArgumentException for a negative duration: this clock never goes back
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("a monotonic clock never goes back, asked for " + by);
        }
        moved.addAndGet(by.toNanos());
        listeners.forEach(Runnable::run);
    }

    @Override
    public void onMoved(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public String toString() {
        return "TestClock[" + (ticking ? "ticking" : "frozen") + ", advanced by " + Duration.ofNanos(moved.get()) + "]";
    }
}
