// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Lookout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a blocking caller drive an {@link Acquisition} from its own thread: it looks out and sleeps until there is a step to take or a
 * result, so a blocking client does its I/O right here, without a hop to another thread.
 */
final class CallerDriver implements Executor {
    private final LockBackend backend;
    private final Thread caller = Thread.currentThread();
    private final AtomicReference<@Nullable Runnable> step = new AtomicReference<>();
    private boolean watching;

    CallerDriver(LockBackend backend) {
        this.backend = backend;
    }

    /**
     * Waits whatever happens; an interrupt is kept for later.
     *
     * @return null when the lock is busy
     * @throws LockBackendException when Redis could not be asked
     */
    @Nullable
    TokenLease await(Acquisition acquisition) {
        boolean interrupted = Thread.interrupted(); // a set flag would disturb a blocking client
        try {
            acquisition.start();
            while (!advance(acquisition)) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return outcome(acquisition.result());
    }

    /**
     * Waits until interrupted; then the acquire is abandoned, unless it had just succeeded.
     *
     * @return null when the lock is busy
     * @throws LockNotAcquiredException for an interrupt, which is its cause; the flag is set
     * @throws LockBackendException when Redis could not be asked
     */
    @Nullable
    TokenLease awaitUnlessInterrupted(Acquisition acquisition) {
        if (caller.isInterrupted()) {
            acquisition.wish.events().abandoned(acquisition);
            throw acquisition.notAcquired(new InterruptedException());
        }
        acquisition.start();
        while (!advance(acquisition)) {
            if (caller.isInterrupted()) {
                acquisition.fail(acquisition.notAcquired(new InterruptedException()));
            }
        }
        return outcome(acquisition.result());
    }

    /** The same with the checked exception of {@link java.util.concurrent.locks.Lock}, and the flag cleared. */
    @Nullable
    TokenLease awaitInterruptibly(Acquisition acquisition) throws InterruptedException {
        try {
            return awaitUnlessInterrupted(acquisition);
        } catch (LockNotAcquiredException e) {
            if (e.getCause() instanceof InterruptedException interrupt) {
                Thread.interrupted();
                throw interrupt;
            }
            throw e;
        }
    }

    /** Runs a call that talks to Redis and must not be cut short by an interrupt. */
    static <T extends @Nullable Object> T uninterrupted(Lookout lookout, Supplier<CompletableFuture<T>> call) {
        boolean interrupted = Thread.interrupted();
        try {
            CompletableFuture<T> result = call.get();
            if (!result.isDone()) {
                lookout.lookFor(result::isDone);
            }
            return outcome(result);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    Thread caller() {
        return caller;
    }

    @Override
    public void execute(Runnable next) {
        // Seldom is there one already: a call to the gate that the caller has not followed yet.
        step.accumulateAndGet(next, (before, after) -> before == null ? after : inTurn(before, after));
        wakeUp();
    }

    /** Not when it is this very thread, which has read the answer itself: its next sleep would end at once. */
    @SuppressWarnings("ReferenceEquality") // that very thread
    private void wakeUp() {
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    private static @Nullable Runnable inTurn(Runnable first, @Nullable Runnable second) {
        return () -> {
            first.run();
            if (second != null) {
                second.run();
            }
        };
    }

    /** Takes a step, or waits for one; true when the result is there. */
    private boolean advance(Acquisition acquisition) {
        CompletableFuture<?> result = acquisition.result();
        Runnable next = step.getAndSet(null);
        if (next != null) {
            next.run();
            return result.isDone();
        }
        if (!result.isDone()) {
            if (!watching) {
                watching = true;
                Futures.onDone(result, (value, failure) -> wakeUp());
            } else {
                lookOut(acquisition);
                if (!hasCome(result)) {
                    LockSupport.park(this);
                }
            }
        }
        return result.isDone();
    }

    /** For the answer, or for word; not where another thread asks, and wakes this one. */
    private void lookOut(Acquisition acquisition) {
        CompletableFuture<?> result = acquisition.result();
        Standing asks = acquisition.standing;
        if (asks != null && asks.asking) {
            backend.lookout().lookFor(() -> hasCome(result));
        } else if (asks != null) {
            backend.listenFor(() -> hasCome(result));
        }
    }

    private boolean hasCome(CompletableFuture<?> result) {
        return result.isDone() || step.get() != null;
    }

    private static <T extends @Nullable Object> T outcome(CompletableFuture<T> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LockException cause) {
                // Made on whichever thread saw it; the reader wants to know which call it came out of.
                cause.setStackTrace(new Throwable().getStackTrace());
                throw cause;
            }
            throw e;
        }
    }
}
