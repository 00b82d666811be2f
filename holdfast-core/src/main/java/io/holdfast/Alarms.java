// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one timer of a {@link Holdfast}: polls, deadlines, time limits of commands, renewals and losses all ring here, on one
 * daemon thread that never blocks: no I/O of a blocking client, no application code but listeners.
 *
 * <p>Setting an alarm wakes the thread only when it is earlier than what the thread sleeps for, and cancelling one never
 * does. An uncontended lock sets and cancels alarms far in the future, so it costs no context switch.
 */
final class Alarms implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Alarms.class);

    /** Rings once, at its time, unless cancelled. May be set again. */
    abstract static class Alarm extends DueHeap.Entry {
        private volatile boolean everSet;

        abstract void ring();

        static Alarm of(Runnable action) {
            return new Alarm() {
                @Override
                void ring() {
                    action.run();
                }
            };
        }
    }

    private final MonotonicClock clock;
    private final Thread thread;

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition earlier = guard.newCondition();
    // Guarded by guard.
    private final DueHeap<Alarm> due = new DueHeap<>();
    private boolean sleepsUntilCalled;
    private long sleepsUntil;
    private boolean closed;

    Alarms(MonotonicClock clock) {
        this(clock, task -> new Thread(task, "holdfast-timer"));
    }

    /** @param threads makes the one thread; without it nothing rings by itself */
    Alarms(MonotonicClock clock, ThreadFactory threads) {
        this.clock = clock;
        this.thread = threads.newThread(this::run);
        thread.setDaemon(true);
        clock.onMoved(this::wake);
        thread.start();
    }

    MonotonicClock clock() {
        return clock;
    }

    void set(Alarm alarm, long at) {
        alarm.everSet = true;
        guard.lock();
        try {
            due.remove(alarm);
            alarm.dueAt = at;
            due.add(alarm);
            if (sleepsUntilCalled || at - sleepsUntil < 0) {
                sleepsUntilCalled = false;
                sleepsUntil = at;
                earlier.signal();
            }
        } finally {
            guard.unlock();
        }
    }

    /** False when it has rung, is ringing, or was never set. */
    boolean cancel(Alarm alarm) {
        if (!alarm.everSet) {
            return false; // the guard is shared by all
        }
        guard.lock();
        try {
            return due.remove(alarm);
        } finally {
            guard.unlock();
        }
    }

    /** The stage, or a failure once the limit has passed; the stage itself goes on and may still complete. */
    <T> CompletableFuture<T> within(CompletionStage<T> stage, long limitNanos, String what) {
        CompletableFuture<T> original = stage.toCompletableFuture();
        if (original.isDone()) {
            return original;
        }
        CompletableFuture<T> limited = new CompletableFuture<>();
        Alarm limit = Alarm.of(() -> limited.completeExceptionally(RedisConnectionException.noReply(
                "no reply to " + what + " within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms", null)));
        set(limit, clock.nanoTime() + limitNanos);
        Futures.onDone(original, (value, failure) -> cancel(limit));
        Futures.follow(original, limited);
        return limited;
    }

    private void wake() {
        guard.lock();
        try {
            earlier.signal();
        } finally {
            guard.unlock();
        }
    }

    private void run() {
        Alarm alarm;
        while ((alarm = awaitNext()) != null) {
            try {
                alarm.ring();
            } catch (RuntimeException | Error e) {
                log.error("Holdfast's timer met an error of its own; it goes on", e);
            }
        }
    }

    private @Nullable Alarm awaitNext() {
        guard.lock();
        try {
            while (!closed) {
                Alarm next = due.peek();
                if (next != null && next.dueAt - clock.nanoTime() <= 0) {
                    due.remove(next);
                    return next;
                }
                sleep(next);
            }
            return null;
        } finally {
            guard.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // awaitNext() is the loop
    private void sleep(@Nullable Alarm next) {
        try {
            sleepsUntilCalled = next == null;
            if (next == null) {
                earlier.await();
            } else {
                sleepsUntil = next.dueAt;
                earlier.awaitNanos(next.dueAt - clock.nanoTime());
            }
        } catch (InterruptedException e) {
            log.debug("Interrupts do not end Holdfast's timer; close() does");
        }
    }

    @Override
    public void close() {
        guard.lock();
        try {
            closed = true;
            earlier.signal();
        } finally {
            guard.unlock();
        }
    }
}
