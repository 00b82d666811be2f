// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a blocking caller drive an {@link Acquisition} from its own thread: it sleeps until there is a step to take or a
 * result, so a blocking client does its I/O right here, without a hop to another thread.
 *
 * <p>An acquisition has at most one step pending, hence the single slot.
 */
final class CallerDriver implements Executor {
    private final Thread caller = Thread.currentThread();
    private volatile @Nullable Runnable step;
    private boolean watching;

    /**
     * Waits whatever happens; an interrupt is kept for later.
     *
     * @throws LockException one of the three failures
     */
    static TokenLease await(Function<Executor, Acquisition> acquire) {
        boolean interrupted = Thread.interrupted(); // a set flag would disturb a blocking client
        CallerDriver driver = new CallerDriver();
        Acquisition acquisition = acquire.apply(driver);
        CompletableFuture<TokenLease> result = acquisition.result();
        acquisition.start();
        while (!driver.advance(result)) {
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return outcome(result);
    }

    /**
     * Waits until interrupted; then the acquire is abandoned, unless it had just succeeded.
     *
     * @throws LockNotAcquiredException also for an interrupt, which is then its cause; the flag is set
     */
    static TokenLease awaitUnlessInterrupted(Function<Executor, Acquisition> acquire) {
        CallerDriver driver = new CallerDriver();
        Acquisition acquisition = acquire.apply(driver);
        if (Thread.currentThread().isInterrupted()) {
            throw acquisition.notAcquired(new InterruptedException());
        }
        CompletableFuture<TokenLease> result = acquisition.result();
        acquisition.start();
        while (!driver.advance(result)) {
            if (Thread.currentThread().isInterrupted()) {
                acquisition.fail(acquisition.notAcquired(new InterruptedException()));
            }
        }
        return outcome(result);
    }

    /** The same with the checked exception of {@link java.util.concurrent.locks.Lock}, and the flag cleared. */
    static TokenLease awaitInterruptibly(Function<Executor, Acquisition> acquire) throws InterruptedException {
        try {
            return awaitUnlessInterrupted(acquire);
        } catch (LockNotAcquiredException e) {
            if (e.getCause() instanceof InterruptedException interrupt) {
                Thread.interrupted();
                throw interrupt;
            }
            throw e;
        }
    }

    /** Runs a call that talks to Redis and must not be cut short by an interrupt. */
    static <T> T uninterrupted(Supplier<CompletableFuture<T>> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return outcome(call.get());
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
        step = next;
        LockSupport.unpark(caller);
    }

    /** Takes a step, or sleeps for one; true when the result is there. */
    private boolean advance(CompletableFuture<?> result) {
        Runnable next = step;
        if (next != null) {
            step = null;
            next.run();
            return result.isDone();
        }
        if (!result.isDone()) {
            if (!watching) {
                watching = true;
                Futures.onDone(result, (value, failure) -> LockSupport.unpark(caller));
            } else {
                LockSupport.park(this);
            }
        }
        return result.isDone();
    }

    private static <T> T outcome(CompletableFuture<T> result) {
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
