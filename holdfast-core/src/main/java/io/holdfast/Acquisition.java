// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, from its first command to its lease: ask, and while somebody else holds the lock wait and ask again. There is
 * no second loop: blocking callers drive this one from their own thread ({@link CallerDriver}), asynchronous ones let the
 * timer drive it.
 *
 * <p><b>Safety.</b> Each try is stamped before it is sent, and the lease is valid from that stamp. A grant whose answer took
 * longer than the lease is given back, never returned. Exactly one of grant, refusal, failure and cancellation wins
 * {@code over}; a grant that comes second is cleaned up.
 *
 * <p><b>Ambiguity.</b> A try without an answer is repeated with the same token, and withdrawn when this acquire ends without a
 * grant: see {@link Bid}.
 *
 * <p><b>Liveness.</b> One deadline, set before the first command, ends every wait, also that for an answer. A caller who does
 * not wait, or hardly, still gives Redis a moment to answer.
 */
final class Acquisition {
    private static final long MOMENT = Duration.ofMillis(100).toNanos();
    /** How long an endless wait puts up with a Redis that can't be asked. */
    private static final long LONGEST_OUTAGE = Duration.ofSeconds(10).toNanos();

    private final Engine engine;
    private final LockBackend backend;
    private final LockName name;
    private final LockOptions options;
    private final Patience patience;
    private final Executor steps;
    private final long startedAt;
    private final CompletableFuture<@Nullable TokenLease> result = new CompletableFuture<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger attempts = new AtomicInteger();
    private final Alarms.Alarm deadline = Alarms.Alarm.of(this::timeIsUp);
    private final Alarms.Alarm nextTry;

    // Steps follow one another; only the deadline and a cancellation look in from other threads.
    private volatile Bid bid;
    private volatile AcquireReply.@Nullable Contended busy;
    private volatile @Nullable Throwable failure;
    private volatile boolean asking;
    private volatile long askedAt;
    private int failuresInARow;
    private long failingSince;

    Acquisition(Engine engine, Wish wish) {
        this(engine, engine.redis, wish, engine.clock.nanoTime());
    }

    private Acquisition(Engine engine, LockBackend backend, Wish wish, long startedAt) {
        this.engine = engine;
        this.backend = backend;
        this.name = wish.name;
        this.options = wish.options;
        this.patience = options.limit().map(wish.patience::atMost).orElse(wish.patience);
        this.steps = wish.steps;
        this.startedAt = startedAt;
        this.bid = newBid();
        this.nextTry = Alarms.Alarm.of(() -> steps.execute(this::ask));
    }

    /**
     * What is asked for.
     *
     * @param steps where tries are made: a waiting caller's own thread, or one that may do what the client does
     */
    record Wish(LockName name, LockOptions options, Patience patience, Executor steps) {}

    /** The lease, null for a busy lock, or a failure. Completing it from outside, as by cancelling, abandons the acquire. */
    CompletableFuture<@Nullable TokenLease> result() {
        return result;
    }

    /** Sends the first try. */
    void start() {
        engine.waiting.add(this);
        Futures.onDone(result, (lease, failed) -> {
            engine.waiting.remove(this);
            abandon();
        });
        if (engine.isClosed()) {
            fail(new IllegalStateException("this Holdfast was closed"));
        }
        if (patience.waitNanos() > 0 && !patience.isEndless()) {
            long moment = engine.clock.nanoTime() + MOMENT;
            long ends = startedAt + patience.waitNanos();
            engine.alarms.set(deadline, ends - moment > 0 ? ends : moment);
        }
        ask();
    }

    /** Ends it as if its caller had given up; the caller is told by that exception. */
    void fail(RuntimeException reason) {
        result.completeExceptionally(reason);
    }

    LockNotAcquiredException notAcquired(@Nullable Throwable cause) {
        AcquireReply.Contended seen = busy;
        LockInfo.Holder holder = seen == null ? LockInfo.Holder.UNKNOWN : LockInfo.Holder.of(seen);
        return new LockNotAcquiredException(name.key(), elapsed(), attempts.get(), holder, cause);
    }

    private void ask() {
        if (over.get()) {
            return;
        }
        attempts.incrementAndGet();
        askedAt = engine.clock.nanoTime();
        asking = true;
        // A blocking client can't be called back at the deadline: near it, let another thread do the waiting.
        boolean couldOverrun = backend.blocking()
                && patience.waitNanos() > 0
                && askedAt - startedAt
                        > patience.waitNanos() - backend.commandTimeout().toNanos();
        if (couldOverrun) {
            engine.io.execute(this::send);
        } else {
            send();
        }
    }

    private void send() {
        long sentAt = askedAt;
        Bid sent = bid;
        boolean fenced = options.fencing() && !engine.isLocal(backend);
        CompletableFuture<AcquireReply> reply = sent.send(fenced ? engine.highestFence.get() : -1, mayRetry());
        CompletableFuture<AcquireReply> limited =
                engine.alarms.within(reply, backend.commandTimeout().toNanos(), "acquire");
        Futures.onDone(limited, (answer, failed) -> {
            asking = false;
            Throwable error = answer == null ? BackendErrors.unwrap(failed) : null;
            if (error == null || !BackendErrors.isAmbiguous(error)) {
                sent.settled(reply);
            }
            if (answer instanceof AcquireReply.Granted granted) {
                granted(granted, sentAt, sent);
            } else if (answer instanceof AcquireReply.Contended contended) {
                contended(contended);
            } else if (error != null) {
                retryOrFail(error);
            }
        });
    }

    private void contended(AcquireReply.Contended contended) {
        failuresInARow = 0;
        failure = null;
        busy = contended;
        if (!mayRetry()) {
            refuse();
            return;
        }
        if (attempts.get() == 1) {
            engine.events.contended(this);
        }
        tryAgainIn(patience.pollPause(options, contended));
    }

    private void granted(AcquireReply.Granted granted, long sentAt, Bid sent) {
        engine.highestFence.accumulateAndGet(granted.fenceBase(), Math::max);
        Hold hold = hold(granted, sentAt, sent);
        if (!hold.isValid(engine.clock.nanoTime())) {
            sent.withdraw(engine.cleaner, true);
            bid = newBid();
            retryOrFail(RedisConnectionException.noReply(
                    "the lock was granted, but the answer took longer than its ttl", null));
        } else if (over.compareAndSet(false, true)) {
            settle();
            TokenLease lease = new TokenLease(engine, hold, sentAt, interruptee());
            hold.bind(lease);
            engine.keeper.adopt(hold, sentAt);
            engine.events.acquired(this, lease);
            Futures.handOver(lease, lease, result); // back to Redis if cancelled in the very last moment
        } else {
            sent.withdraw(engine.cleaner, true);
        }
    }

    private Hold hold(AcquireReply.Granted granted, long sentAt, Bid sent) {
        long longest = options.maxHold().map(Limits::nanos).orElse(Long.MAX_VALUE);
        if (options.limit().isPresent()) {
            longest = Math.min(longest, Limits.nanos(options.limit().get()) - (sentAt - startedAt));
        }
        return new Hold(sent, granted.fenceBase(), sentAt, longest);
    }

    private void retryOrFail(Throwable error) {
        long now = engine.clock.nanoTime();
        if (failuresInARow++ == 0) {
            failingSince = now;
        }
        failure = error;
        if (BackendErrors.isPassing(error) && mayRetry() && now - failingSince <= longestOutage()) {
            tryAgainIn(patience.backoff(options, failuresInARow));
        } else {
            giveUp(error);
        }
    }

    /** A caller who may go on without Redis does not spend the whole wait on it, but a command's time. */
    private long longestOutage() {
        if (options.onUnavailable() != FailurePolicy.FAIL) {
            return backend.commandTimeout().toNanos();
        }
        return patience.isEndless() ? LONGEST_OUTAGE : Long.MAX_VALUE;
    }

    private boolean mayRetry() {
        return attempts.get() < patience.maxAttempts() && engine.clock.nanoTime() - startedAt < patience.waitNanos();
    }

    private void tryAgainIn(long pause) {
        long now = engine.clock.nanoTime();
        long left = patience.after(now - startedAt).waitNanos();
        if (left > pause) {
            engine.alarms.set(nextTry, now + pause);
        } else { // another try would be later than the caller allowed
            engine.alarms.set(deadline, now + left);
        }
    }

    /** The deadline rings: what was heard last is the answer. */
    private void timeIsUp() {
        boolean hung = asking
                && engine.clock.nanoTime() - askedAt > backend.commandTimeout().toNanos();
        Throwable error = failure;
        if (busy != null && error == null && !hung) {
            refuse();
        } else {
            giveUp(error != null ? error : RedisConnectionException.noReply("no reply before the wait was over", null));
        }
    }

    private void refuse() {
        if (over.compareAndSet(false, true)) {
            engine.events.timedOut(this);
            cleanUp();
            result.complete(null);
        }
    }

    private void giveUp(Throwable error) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        cleanUp();
        LockBackendException exception =
                BackendErrors.exception("acquire", name.key(), backend.endpoint(), elapsed(), error);
        engine.events.acquireFailed(this, exception);
        if (exception.isUnavailable() && options.onUnavailable() != FailurePolicy.FAIL && !engine.isLocal(backend)) {
            degrade(exception);
        } else {
            result.completeExceptionally(exception);
        }
    }

    /** Redis is down and the options let the caller go on: the same loop, on a lock inside this process. */
    private void degrade(LockBackendException exception) {
        engine.events.degraded(this, exception);
        LockName local = options.onUnavailable() == FailurePolicy.LOCAL
                ? name
                : new LockName(name.key(), newBid().token, name.companionPrefix());
        // The same acquire goes on, so its start and its patience stay.
        Acquisition fallback =
                new Acquisition(engine, engine.local, new Wish(local, options, patience, steps), startedAt);
        Futures.onDone(fallback.result, (lease, failed) -> {
            if (failed != null) {
                result.completeExceptionally(BackendErrors.unwrap(failed));
            } else if (lease == null) {
                result.complete(null);
            } else {
                Futures.handOver(lease, lease, result);
            }
        });
        Futures.onDone(result, (lease, failed) -> fallback.result.cancel(false));
        fallback.start();
    }

    /** The caller went away. */
    private void abandon() {
        if (over.compareAndSet(false, true)) {
            cleanUp();
        }
    }

    private void cleanUp() {
        settle();
        bid.withdraw(engine.cleaner, false);
    }

    private void settle() {
        if (patience.waitNanos() > 0) { // otherwise none was ever set, and the timer's lock is shared by all
            engine.alarms.cancel(deadline);
            engine.alarms.cancel(nextTry);
        }
    }

    private Bid newBid() {
        return new Bid(backend, name, options, engine.tokens);
    }

    private @Nullable Thread interruptee() {
        return options.interruptsOnLoss() && steps instanceof CallerDriver driver ? driver.caller() : null;
    }

    LockName name() {
        return name;
    }

    LockOptions options() {
        return options;
    }

    int attempts() {
        return attempts.get();
    }

    Duration elapsed() {
        return Duration.ofNanos(engine.clock.nanoTime() - startedAt);
    }
}
