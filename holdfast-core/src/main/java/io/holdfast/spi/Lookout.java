// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks for a reply for a moment before the thread sleeps for it: a server nearby answers sooner than a sleeping thread
 * wakes up. One per connector, and another one for word of a turn, where callers read that. Thread-safe.
 *
 * <p><b>Cost.</b> A moment of a processor that would have been idle; whoever else has use for it gets it at once, as each look in
 * vain yields. One thread looks at a time, and only while a single command is under way, as word always is. One that looked in
 * vain leaves out the next looks: 2, then 4, up to {@value #MOST_LEFT_OUT} of them while it stays so. To a server farther away
 * than a moment next to nothing is spent on it.
 */
public class Lookout {
    /** Longer than a round trip on one machine or in one rack, shorter than anybody would notice. */
    public static final Duration MOMENT = Duration.ofNanos(150_000);

    private static final Duration LONGEST = Duration.ofMillis(10);
    private static final int MOST_LEFT_OUT = 1024;
    private static final Lookout NONE = new Lookout(MonotonicClock.SYSTEM, Duration.ZERO);

    private final MonotonicClock clock;
    private final long nanos;
    private final AtomicInteger underWay = new AtomicInteger();
    /** Whether somebody looks: never two at once, and the rest is theirs meanwhile. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private int toLeaveOut;
    private int leftOut = 1;

    /**
     * What is looked at.
     *
     * @param <X> what looking may end with
     */
    @FunctionalInterface
    public interface Sight<X extends Exception> {
        /** Whether it has come. Asked again and again, so it has to be cheap; it may read what is there, but not wait. */
        boolean isThere() throws X;
    }

    /** @param moment how long to look at most; zero for never */
    public Lookout(MonotonicClock clock, Duration moment) {
        if (moment.isNegative()) {
            throw new IllegalArgumentException("a look-out can't last for " + moment);
        }
        this.clock = clock;
        this.nanos = moment.toNanos();
    }

    /** By the system's clock, and for as long as it {@link #pays}. */
    public static Lookout lasting(Duration moment) {
        return new Lookout(MonotonicClock.SYSTEM, pays(moment));
    }

    /**
     * That moment, or zero where there is a single processor, since the server may need the one we would keep.
     *
     * @throws IllegalArgumentException when the moment is not within 0 to 10 ms
     */
    public static Duration pays(Duration moment) {
        if (moment.isNegative() || moment.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the look-out for a reply must be 0 to 10 ms, was " + moment);
        }
        return Runtime.getRuntime().availableProcessors() > 1 ? moment : Duration.ZERO;
    }

    /** Never looks. */
    public static Lookout none() {
        return NONE;
    }

    /** A command is about to be sent. */
    public void begin() {
        underWay.incrementAndGet();
    }

    /** It has been answered, or will not be. */
    public void end() {
        underWay.decrementAndGet();
    }

    /** Returns when it is there, or when looking any longer is not worth it. */
    public <X extends Exception> void lookFor(Sight<X> reply) throws X {
        if (nanos == 0 || !isSole() || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            look(reply);
        } finally {
            looking.set(false);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on the yield but the time it takes
    private <X extends Exception> void look(Sight<X> reply) throws X {
        if (toLeaveOut > 0) {
            toLeaveOut--;
            return;
        }
        long until = clock.nanoTime() + nanos;
        while (isSole()) {
            if (reply.isThere()) {
                leftOut = 1;
                return;
            }
            if (clock.nanoTime() - until >= 0) {
                leftOut = Math.min(MOST_LEFT_OUT, 2 * leftOut);
                toLeaveOut = leftOut;
                return;
            }
            Thread.yield(); // the server, or the thread that brings the reply, may have been put on this very processor
        }
    }

    /** Whether one command is under way, so that its thread takes a processor from nobody here. */
    private boolean isSole() {
        return underWay.get() == 1;
    }
}
