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

    // Written before done.
    private @Nullable Object reply;
    private @Nullable RuntimeException failure;
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

    @Nullable
    Lane lane() {
        return state.get() instanceof Lane lane ? lane : null;
    }

    void answered(@Nullable Object value) {
        reply = value;
        finish();
    }

    void failed(RuntimeException reason) {
        failure = reason;
        finish();
    }

    @SuppressWarnings("ReferenceEquality") // that very thread
    private void finish() {
        done = true;
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    boolean isDone() {
        return done;
    }

    /** The reply, once it is done. */
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

    /** Until it is done, for that long at most. Not ended by an interrupt, which is kept: the command is under way. */
    void awaitReply(long nanos) {
        long until = System.nanoTime() + nanos;
        boolean interrupted = false;
        long left;
        while (!done && (left = until - System.nanoTime()) > 0) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            caller.interrupt();
        }
    }
}
