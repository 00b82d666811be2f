// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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
            CallerDriver driver = new CallerDriver();
            Acquisition acquisition = acquisition(Patience.endless(), driver);
            enter(granted(acquisition, driver.await(acquisition)));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (!reenter()) {
            CallerDriver driver = new CallerDriver();
            Acquisition acquisition = acquisition(Patience.endless(), driver);
            enter(granted(acquisition, driver.awaitInterruptibly(acquisition)));
        }
    }

    @Override
    public boolean tryLock() {
        if (reenter()) {
            return true;
        }
        CallerDriver driver = new CallerDriver();
        return enter(driver.await(acquisition(Patience.once(), driver)));
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        if (reenter()) {
            return true;
        }
        Limits.given("unit", unit);
        Patience patience = wait <= 0 ? Patience.once() : new Patience(unit.toNanos(wait), Integer.MAX_VALUE);
        CallerDriver driver = new CallerDriver();
        return enter(driver.awaitInterruptibly(acquisition(patience, driver)));
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
        Acquisition acquisition = acquisition(Patience.of(options), sender);
        Futures.onDone(promise, (value, failed) -> acquisition.result().cancel(false));
        sender.execute(acquisition::start);
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

    Lease acquire(Patience patience) {
        CallerDriver driver = new CallerDriver();
        Acquisition acquisition = acquisition(patience, driver);
        return granted(acquisition, await(driver, acquisition, patience));
    }

    Optional<Lease> tryAcquire(Patience patience) {
        CallerDriver driver = new CallerDriver();
        return Optional.ofNullable(await(driver, acquisition(patience, driver), patience));
    }

    private static @Nullable TokenLease await(CallerDriver driver, Acquisition acquisition, Patience patience) {
        return patience.waitNanos() == 0
                ? driver.await(acquisition) // nothing to interrupt: one question, one answer
                : driver.awaitUnlessInterrupted(acquisition);
    }

    private Acquisition acquisition(Patience patience, Executor steps) {
        engine.ensureOpen();
        Events events = engine.events.following(name.key(), options);
        return new Acquisition(engine, new Wish(name, options, patience, steps, events));
    }

    private static TokenLease granted(Acquisition acquisition, @Nullable TokenLease lease) {
        if (lease == null) {
            throw acquisition.notAcquired(null);
        }
        return lease;
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name.key() + ", " + options + "]";
    }
}
