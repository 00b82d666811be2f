// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The {@link DistributedLock} of one name. What does not lie idle in this process every face of it gets by an {@link
 * Acquisition}; they differ in how they wait.
 */
final class NamedLock implements DistributedLock {
    private final Engine engine;
    private final LockName name;
    private final LockOptions options;

    NamedLock(Engine engine, LockName name, LockOptions options) {
        this.engine = engine;
        this.name = name;
        this.options = options;
    }

    @Override
    public String name() {
        return name.key();
    }

    @Override
    public LockOptions options() {
        return options;
    }

    // ---- owned by the thread

    @Override
    public void lock() {
        if (!reenter()) {
            enter(take(Patience.endless(), insisting(CallerDriver::await)));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (!reenter()) {
            enter(take(Patience.endless(), insisting(CallerDriver::awaitInterruptibly)));
        }
    }

    @Override
    public boolean tryLock() {
        return reenter() || enter(take(Patience.once(), CallerDriver::await));
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        if (reenter()) {
            return true;
        }
        Limits.given("unit", unit);
        Patience patience = wait <= 0 ? Patience.once() : new Patience(unit.toNanos(wait), Integer.MAX_VALUE);
        return enter(take(patience, CallerDriver::awaitInterruptibly));
    }

    @Override
    public void unlock() {
        ThreadHolds.Entry entry = engine.threadHolds.get(name.lockKey());
        if (entry == null) {
            throw new IllegalMonitorStateException("this thread does not hold lock " + name.key());
        }
        if (!leave(entry)) {
            throw lost(entry.lease);
        }
    }

    @Override
    public boolean release() {
        ThreadHolds.Entry entry = engine.threadHolds.get(name.lockKey());
        return entry != null && leave(entry);
    }

    @Override
    public boolean isHeldByCurrentThread() {
        ThreadHolds.Entry entry = engine.threadHolds.get(name.lockKey());
        return entry != null && entry.lease.isHeld();
    }

    @Override
    public int holdCount() {
        ThreadHolds.Entry entry = engine.threadHolds.get(name.lockKey());
        return entry == null ? 0 : entry.count;
    }

    @Override
    public Optional<Lease> currentLease() {
        ThreadHolds.Entry entry = engine.threadHolds.get(name.lockKey());
        return entry == null ? Optional.empty() : Optional.of(entry.lease);
    }

    private boolean enter(@Nullable TokenLease lease) {
        if (lease != null) {
            engine.threadHolds.add(name.lockKey(), lease);
        }
        return lease != null;
    }

    /** One more time for a thread that is already in; entering a lock that was lost would hide the loss. */
    private boolean reenter() {
        ThreadHolds.Entry entry = engine.threadHolds.get(name.lockKey());
        if (entry == null) {
            return false;
        }
        if (!entry.lease.isHeld()) {
            throw lost(entry.lease);
        }
        entry.count++;
        return true;
    }

    /** Forgets the hold before anything is sent, so that no failure can leave a count behind. */
    private boolean leave(ThreadHolds.Entry entry) {
        if (--entry.count > 0) {
            return entry.lease.isHeld();
        }
        engine.threadHolds.remove(name.lockKey());
        return entry.lease.release();
    }

    private LockLostException lost(TokenLease lease) {
        return new LockLostException(name.key(), lease.lostReason().orElse(LostReason.GONE), lease.heldFor());
    }

    // ---- owned by a token

    @Override
    public Lease acquire() {
        return acquire(Patience.of(options));
    }

    @Override
    public Lease acquire(Duration wait) {
        return acquire(Patience.upTo(wait));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return tryAcquire(Patience.of(options));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) {
        return tryAcquire(Patience.upTo(wait));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        CompletableFuture<Lease> promise = new CompletableFuture<>();
        Acquisition acquisition = startAsync(promise);
        Futures.onDone(
                acquisition.result(),
                (lease, failed) -> engine.outside(() -> {
                    if (lease != null) {
                        Futures.handOver(lease, lease, promise);
                    } else {
                        promise.completeExceptionally(
                                failed == null ? acquisition.notAcquired(null) : BackendErrors.unwrap(failed));
                    }
                }));
        return promise;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        CompletableFuture<Optional<Lease>> promise = new CompletableFuture<>();
        Futures.onDone(
                startAsync(promise).result(),
                (lease, failed) -> engine.outside(() -> {
                    if (lease != null) {
                        Futures.handOver(lease, Optional.of(lease), promise);
                    } else if (failed == null) {
                        promise.complete(Optional.empty());
                    } else {
                        promise.completeExceptionally(BackendErrors.unwrap(failed));
                    }
                }));
        return promise;
    }

    /** Whatever completes the promise first, a cancel among others, ends the acquire. */
    private Acquisition startAsync(CompletableFuture<?> promise) {
        Executor sender = engine.sender(engine.redis);
        Wish wish = wish(Patience.of(options), engine.steps());
        Acquisition acquisition = new Acquisition(engine, wish);
        Futures.onDone(promise, (value, failed) -> acquisition.result().cancel(false));
        TokenLease idle = engine.gates.lend(wish);
        if (idle != null) {
            Futures.handOver(idle, idle, acquisition.result());
        } else {
            sender.execute(acquisition::start);
        }
        return acquisition;
    }

    @Override
    public void withLock(Runnable block) {
        Limits.given("block", block);
        withLock(() -> {
            block.run();
            return Boolean.TRUE;
        });
    }

    @Override
    public <T, X extends Exception> T withLock(LockedCall<T, X> block) throws X {
        Limits.given("block", block);
        return LockedBlock.run((TokenLease) acquire(), block);
    }

    @SuppressWarnings("NullAway") // one that insists throws instead
    Lease acquire(Patience patience) {
        return take(patience, insisting(waiting(patience)));
    }

    Optional<Lease> tryAcquire(Patience patience) {
        return Optional.ofNullable(take(patience, waiting(patience)));
    }

    // ---- what all faces share

    /** How a face waits: they differ in what an interrupt does. */
    private interface Waiting<X extends Exception> {
        @Nullable
        TokenLease await(CallerDriver driver, Acquisition acquisition) throws X;
    }

    private static Waiting<RuntimeException> waiting(Patience patience) {
        return patience.waitNanos() == 0
                ? CallerDriver::await // nothing to interrupt: one question, one answer
                : CallerDriver::awaitUnlessInterrupted;
    }

    private static <X extends Exception> Waiting<X> insisting(Waiting<X> waiting) {
        return (driver, acquisition) -> {
            TokenLease lease = waiting.await(driver, acquisition);
            if (lease == null) {
                throw acquisition.notAcquired(null);
            }
            return lease;
        };
    }

    /** What lies idle in this process, or what an acquire brings; null when the lock is busy. */
    private <X extends Exception> @Nullable TokenLease take(Patience patience, Waiting<X> waiting) throws X {
        CallerDriver driver = new CallerDriver(engine.redis);
        Wish wish = wish(patience, driver);
        TokenLease idle = driver.caller().isInterrupted() ? null : engine.gates.lend(wish);
        return idle != null ? idle : waiting.await(driver, new Acquisition(engine, wish));
    }

    private Wish wish(Patience patience, Executor steps) {
        engine.ensureOpen();
        return new Wish(name, options, patience, steps, engine.events.following(name.key(), options));
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name.key() + ", " + options + "]";
    }
}
