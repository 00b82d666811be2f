// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The {@link DistributedLock} of one name: every face of it starts an {@link Acquisition} and differs in how it waits. */
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
            engine.threadHolds.add(name.lockKey(), CallerDriver.await(acquisition(Patience.endless())));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (!reenter()) {
            engine.threadHolds.add(name.lockKey(), CallerDriver.awaitInterruptibly(acquisition(Patience.endless())));
        }
    }

    @Override
    public boolean tryLock() {
        if (reenter()) {
            return true;
        }
        Optional<TokenLease> lease = unlessBusy(() -> CallerDriver.await(acquisition(Patience.once())));
        lease.ifPresent(granted -> engine.threadHolds.add(name.lockKey(), granted));
        return lease.isPresent();
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        if (reenter()) {
            return true;
        }
        Limits.given("unit", unit);
        Patience patience = wait <= 0 ? Patience.once() : new Patience(unit.toNanos(wait), Integer.MAX_VALUE);
        Optional<TokenLease> lease = unlessBusy(() -> CallerDriver.awaitInterruptibly(acquisition(patience)));
        lease.ifPresent(granted -> engine.threadHolds.add(name.lockKey(), granted));
        return lease.isPresent();
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
        engine.ensureOpen();
        CompletableFuture<Lease> leaseFuture = new CompletableFuture<>();
        Executor sender = engine.sender(engine.redis);
        Acquisition acquisition = new Acquisition(engine, engine.redis, name, options, Patience.of(options), sender);
        CompletableFuture<TokenLease> result = acquisition.result();
        Futures.onDone(result, (lease, failed) -> Futures.handOver(lease, failed, leaseFuture, lease));
        Futures.onDone(leaseFuture, (lease, failed) -> result.cancel(false)); // the caller's cancel, or no effect
        sender.execute(acquisition::start);
        return leaseFuture;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        CompletableFuture<Optional<Lease>> attempt = new CompletableFuture<>();
        CompletableFuture<Lease> acquire = acquireAsync();
        Futures.onDone(acquire, (lease, failed) -> {
            Throwable error = failed == null ? null : BackendErrors.unwrap(failed);
            if (error != null && isBusy(error)) {
                attempt.complete(Optional.empty());
            } else {
                Futures.handOver((TokenLease) lease, error, attempt, Optional.ofNullable(lease));
            }
        });
        Futures.onDone(attempt, (lease, failed) -> acquire.cancel(false));
        return attempt;
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

    Lease acquire(Patience patience) {
        return patience.waitNanos() == 0
                ? CallerDriver.await(acquisition(patience)) // nothing to interrupt: one question, one answer
                : CallerDriver.awaitUnlessInterrupted(acquisition(patience));
    }

    Optional<Lease> tryAcquire(Patience patience) {
        return unlessBusy(() -> acquire(patience));
    }

    private Function<Executor, Acquisition> acquisition(Patience patience) {
        engine.ensureOpen();
        return steps -> new Acquisition(engine, engine.redis, name, options, patience, steps);
    }

    private static <T, X extends Exception> Optional<T> unlessBusy(LockedCall<T, X> acquire) throws X {
        try {
            return Optional.of(acquire.call());
        } catch (LockNotAcquiredException e) {
            if (isBusy(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Somebody else has the lock; a wait that ended by an interrupt says so by its cause. */
    private static boolean isBusy(Throwable error) {
        return error instanceof LockNotAcquiredException && error.getCause() == null;
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name.key() + ", " + options + "]";
    }
}
