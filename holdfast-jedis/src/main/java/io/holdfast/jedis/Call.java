// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisCommand;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A command that waits for a lane of {@link LaneExchange}, or for its reply from one. Its own thread waits; the thread of
 * another call may send it along.
 */
final class Call {
    private enum Fate {
        QUEUED,
        SENT_ALONG,
        LEFT
    }

    final RedisCommand command;
    private final Thread caller = Thread.currentThread();
    /** A fate, or the lane it was given. Only one moves it on from QUEUED. */
    private final AtomicReference<Object> state = new AtomicReference<>(Fate.QUEUED);

    // Written before hasOutcome.
    private @Nullable Object reply;
    private @Nullable RuntimeException failure;
    private volatile boolean hasOutcome;
    private volatile boolean done;

    Call(RedisCommand command) {
        this.command = command;
    }

    /** For its own thread: false when somebody takes care of it by now. */
    boolean leave() {
        return state.compareAndSet(Fate.QUEUED, Fate.LEFT);
    }

    /** For the thread that would send it along: false when it is not to be sent. */
    boolean join() {
        return state.compareAndSet(Fate.QUEUED, Fate.SENT_ALONG);
    }

    /** Hands it a lane; false when it has left. */
    boolean lead(Lane free) {
        boolean taken = state.compareAndSet(Fate.QUEUED, free);
        if (taken) {
            LockSupport.unpark(caller);
        }
        return taken;
    }

    /** Hands it the lane it was sent along on, to read what comes; false when it has left. */
    boolean read(Lane used) {
        boolean taken = state.compareAndSet(Fate.SENT_ALONG, used);
        if (taken) {
            LockSupport.unpark(caller);
        }
        return taken;
    }

    /** What it was handed to use; null when others do all. */
    @Nullable
    Lane lane() {
        return state.get() instanceof Lane lane ? lane : null;
    }

    void answered(@Nullable Object value) {
        reply = value;
        hasOutcome = true;
    }

    void failed(RuntimeException reason) {
        failure = reason;
        hasOutcome = true;
    }

    /** Whether there is something to tell; its own thread may look before it is told. */
    boolean hasOutcome() {
        return hasOutcome;
    }

    /** Lets its own thread go on. */
    @SuppressWarnings("ReferenceEquality") // that very thread
    void tell() {
        done = true;
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    /** The reply, once there is an outcome. */
    @Nullable
    Object result() {
        if (failure != null) {
            throw failure;
        }
        return reply;
    }

    /** Until somebody takes care of it, for that long at most; an interrupt ends it sooner, and is kept. */
    void awaitTurn(long nanos) {
        long until = System.nanoTime() + nanos;
        long left;
        while (state.get() == Fate.QUEUED && !caller.isInterrupted() && (left = until - System.nanoTime()) > 0) {
            LockSupport.parkNanos(this, left);
        }
    }

    /**
     * Until it is done, or is to read the reply itself, for that long at most; then it has left. Not ended by an interrupt, since the
     * command is under way: that is taken, and returned.
     */
    boolean awaitReply(long nanos) {
        long until = System.nanoTime() + nanos;
        boolean interrupted = false;
        long left;
        while (!done && state.get() == Fate.SENT_ALONG && (left = until - System.nanoTime()) > 0) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        state.compareAndSet(Fate.SENT_ALONG, Fate.LEFT);
        return Thread.interrupted() || interrupted;
    }
}
