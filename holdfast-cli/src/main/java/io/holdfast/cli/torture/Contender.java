// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import io.holdfast.testkit.history.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a worker: takes one lock after the other in one {@link Habit} after the other, works under it, writes to the
 * {@link SharedRegister}, gives it back, and records each step at the time its caller knows of it.
 */
final class Contender implements Runnable {
    private static final int LONGEST_BREAK_MILLIS = 15;
    private static final int LONGEST_WORK_MILLIS = 12;
    /** Now and then work takes longer than most leases. */
    private static final int LONG_WORK_MILLIS = 1_600;

    private static final int LONG_WORK_ONE_IN = 60;
    private static final int LATEST_INTERRUPT_MILLIS = 60;
    private static final int LATEST_CANCEL_MILLIS = 80;
    private static final long CHECK_EVERY = TimeUnit.MILLISECONDS.toNanos(10);

    private final Holdfast holdfast;
    private final History history;
    private final Shared shared;
    private final Random random;
    /** What this thread has now, innermost first: one lease, or those of an owner that took its lock again. */
    private final Deque<Held> held = new ArrayDeque<>();

    private volatile boolean stopping;

    Contender(Holdfast holdfast, History history, Shared shared, long seed) {
        this.holdfast = holdfast;
        this.history = history;
        this.shared = shared;
        this.random = new Random(seed);
    }

    /** What all threads of a worker have in common. With {@code skipLocks} each process has its locks to itself. */
    record Shared(SharedRegister register, Interrupter interrupter, boolean skipLocks) {
        private String key(int lock) {
            return Torture.lock(lock)
                    + (skipLocks ? ":" + ProcessHandle.current().pid() : "");
        }
    }

    private record Held(Operation operation, Lease lease) {}

    void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        while (!stopping) {
            attempt(Wanted.any(random));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(LONGEST_BREAK_MILLIS)));
        }
    }

    private void attempt(Wanted wanted) {
        Operation operation = history.next(Torture.lock(wanted.lock()));
        wanted.describe(operation);
        Lease lease = null;
        try {
            operation.invoked(wanted.patience());
            lease = take(holdfast.lock(shared.key(wanted.lock()), wanted.options()), wanted);
            if (lease == null) {
                operation.record(Kind.BUSY);
            }
        } catch (CancellationException | LockNotAcquiredException e) { // the latter for an interrupt
            operation.record(Kind.CANCELLED);
        } catch (LockBackendException e) {
            operation.record(mayHaveBeenGranted(e) ? Kind.UNKNOWN : Kind.FAILED);
        } catch (IllegalStateException e) { // this worker is being closed
            operation.record(Kind.FAILED);
        }
        Thread.interrupted(); // one that came too late must not reach the work
        if (lease != null) {
            operation.granted(lease);
            lease.onLost(reason -> operation.lost());
            hold(wanted, operation, lease);
        }
    }

    /** Left without an answer, it may have the lock, for nobody, until that is cleaned up or its TTL ends. */
    private static boolean mayHaveBeenGranted(LockBackendException e) {
        return e.getCause() instanceof RedisConnectionException cause && cause.maybeExecuted();
    }

    private @Nullable Lease take(DistributedLock lock, Wanted wanted) {
        return switch (wanted.habit()) {
            case TRY_ONCE -> lock.tryAcquire().orElse(null);
            case CANCEL -> takeOrCancel(lock);
            case INTERRUPT -> {
                try (Interrupter.Alarm alarm =
                        shared.interrupter.interruptIn(random.nextInt(LATEST_INTERRUPT_MILLIS))) {
                    yield lock.tryAcquire(wanted.patience()).orElse(null);
                }
            }
            default -> lock.tryAcquire(wanted.patience()).orElse(null);
        };
    }

    /** A cancel that comes too late leaves the lease to its caller. */
    private @Nullable Lease takeOrCancel(DistributedLock lock) {
        CompletableFuture<Optional<Lease>> answer = lock.tryAcquireAsync();
        boolean inTime = answer.handle((lease, failure) -> true)
                .completeOnTimeout(false, random.nextInt(LATEST_CANCEL_MILLIS), TimeUnit.MILLISECONDS)
                .join();
        if (!inTime) {
            answer.cancel(false);
        }
        try {
            return answer.join().orElse(null);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void hold(Wanted wanted, Operation operation, Lease lease) {
        operation.record(Kind.ENTERED);
        held.push(new Held(operation, lease));
        work();
        if (wanted.habit() == Habit.REENTER && random.nextBoolean() && !stopping) {
            attempt(wanted.once());
        }
        operation.writing(lease);
        boolean taken = shared.register.write(wanted.lock(), lease.fencingToken());
        operation.record(taken ? Kind.WRITTEN : Kind.REJECTED);
        held.pop();
        operation.record(Kind.LEFT);
        try {
            operation.record(lease.release() ? Kind.RELEASED : Kind.LATE);
        } catch (LockBackendException e) {
            operation.record(Kind.FAILED);
        }
    }

    /** Also for a while after the loss: a careless application, whose late write the register has to stop. */
    private void work() {
        boolean takesLong = random.nextInt(LONG_WORK_ONE_IN) == 0;
        long length = TimeUnit.MILLISECONDS.toNanos(random.nextInt(takesLong ? LONG_WORK_MILLIS : LONGEST_WORK_MILLIS));
        long startedAt = System.nanoTime();
        for (long past = 0; past < length && !stopping; past = System.nanoTime() - startedAt) {
            held.forEach(each -> each.operation.check(each.lease));
            LockSupport.parkNanos(Math.min(CHECK_EVERY, length - past));
        }
    }
}
