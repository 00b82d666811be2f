// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the thread on which a connector reads step aside while callers, who wait for what it would read, read themselves: two
 * threads woken one after the other are one too many, where an answer comes within some ten microseconds. It steps aside for
 * half a millisecond at a time, so whatever callers do, nothing lies unread for longer. Thread-safe.
 *
 * <p>Who reads at a given moment is not decided here: both sides need a lock for that, which a caller only tries.
 *
 * <p><b>No virtual threads.</b> One that meets another's lock while it tells what it read gives its processor away, and on a busy
 * machine gets none for long, with the reading in its hands. So they leave it to the own thread.
 */
public final class Aside {
    /** How long the own thread stays away since a caller last read. */
    public static final long NANOS = 500_000;

    /** By name: this is compiled for Java 17, which has none. */
    private static final MethodHandle IS_VIRTUAL = isVirtual();

    private final MonotonicClock clock;
    private final AtomicInteger listeners = new AtomicInteger();
    private volatile long until;
    private volatile @Nullable Thread resting;

    public Aside(MonotonicClock clock) {
        this.clock = clock;
        this.until = clock.nanoTime();
    }

    /** For the own thread, which must not have the lock: rests for as long as callers read. False, at once, when they don't. */
    public boolean rest() {
        if (!isWanted()) {
            return false;
        }
        resting = Thread.currentThread();
        long left = until - clock.nanoTime(); // once more: a caller that calls it back sees it from here on
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        }
        resting = null;
        return true;
    }

    /** Whether the calling thread may be one of those callers. */
    public static boolean mayRead() {
        try {
            return !(boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new IllegalStateException("a getter failed", e);
        }
    }

    /** Whether callers want to read. */
    public boolean isWanted() {
        return until - clock.nanoTime() > 0;
    }

    /** Whether the own thread rests, so that what comes now waits for a caller, or for a moment to pass. */
    public boolean isResting() {
        return resting != null;
    }

    /** For a caller that reads: the own thread is to stay away for a moment more. */
    public void extend() {
        until = clock.nanoTime() + NANOS;
    }

    /** The own thread is to read, now. */
    public void callBack() {
        until = clock.nanoTime();
        LockSupport.unpark(resting);
    }

    /** For a caller that waits for what others may bring about any time; the last to leave in vain calls the own thread back. */
    public void listenFor(BooleanSupplier heard, Lookout lookout, Runnable read) {
        if (!mayRead()) {
            return;
        }
        listeners.incrementAndGet();
        try {
            lookout.lookFor(() -> {
                extend();
                read.run();
                return heard.getAsBoolean();
            });
        } finally {
            if (listeners.decrementAndGet() == 0 && !heard.getAsBoolean()) {
                callBack();
            }
        }
    }

    private static MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
        }
    }
}
