// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RedisConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, from its first command to its lease: ask, and while somebody else holds the lock wait and ask again. There is
 * no second loop: blocking callers drive this one from their own thread ({@link CallerDriver}), asynchronous ones let the
 * timer drive it. Of the threads of one process that want the same lock one asks and the others wait at its {@link Gate}.
 *
 * <p><b>Safety.</b> Each try is stamped before it is sent, and the lease is valid from that stamp. A grant whose answer took
 * longer than the lease is given back, never returned. Word alone counts only where it tells from when on ({@link
 * Bid#claimByWord}). Exactly one of grant, refusal, failure and cancellation wins {@code over}; a grant that comes second goes
 * to the next at the gate, or back. A try without an answer is repeated with the same token, and withdrawn in the end.
 *
 * <p><b>Liveness.</b> One deadline, set before the first command, ends every wait, also that for an answer. A caller who does
 * not wait, or hardly, still gives Redis a moment to answer. Whoever stands in the queue hears when it is its turn, and asks
 * also without having heard: when the holder's key must have ended, and every 2 s at the latest.
 */
final class Acquisition {
    private static final long MOMENT = Duration.ofMillis(100).toNanos();

    private final Engine engine;
    private final LockBackend backend;
    final Wish wish;
    private final LockOptions options;
    final Patience patience;
    final Effort effort;
    private final CompletableFuture<@Nullable TokenLease> result = new CompletableFuture<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Deadline deadline;
    /** Between two questions. Word ends it; where asking does not block, whoever brings it asks: a thread less to wake. */
    final Pause pause;

    /** Where it waits with others of the process; set by the gate. */
    volatile @Nullable Gate gate;

    volatile @Nullable Standing standing; // null while another one asks

    /** With others of the process that want the same fair lock; set by the convoys. */
    volatile @Nullable Ride ride;

    Acquisition(Engine engine, Wish wish) {
        this(engine, engine.redis, wish, engine.clock.nanoTime());
    }

    Acquisition(Engine engine, LockBackend backend, Wish wish, long startedAt) {
        this.engine = engine;
        this.backend = backend;
        this.wish = wish;
        this.options = wish.options();
        this.patience = options.limit().map(wish.patience()::atMost).orElse(wish.patience());
        this.effort = new Effort(engine.clock, startedAt);
        this.deadline = new Deadline(engine, patience, startedAt, this::timeIsUp);
        this.pause = new Pause(engine.alarms, backend.blocking() ? wish.steps() : Runnable::run, this::ask);
    }

    /** The lease, null for a busy lock, or a failure. Completing it from outside, as by cancelling, abandons the acquire. */
    CompletableFuture<@Nullable TokenLease> result() {
        return result;
    }

    /** Goes to the gate, with another's release, or straight to Redis. */
    void start() {
        boolean throughGate = Gates.goThroughGate(options);
        if (isDegraded() || !(throughGate ? engine.gates.enter(this) : engine.convoys.holdBack(this))) {
            represents(new Standing(newBid()));
            represent();
        }
    }

    /** It will take a while: from now on it can be abandoned, and ends when Holdfast is closed. Twice does no harm. */
    private void begin() {
        engine.waiting.add(this);
        Futures.onDone(result, (lease, failed) -> {
            engine.waiting.remove(this);
            if (over.compareAndSet(false, true)) { // the caller went away
                cleanUp();
                wish.events().abandoned(this);
            }
        });
        if (engine.isClosed()) { // looked at last: close() may have missed this one
            fail(new IllegalStateException("this Holdfast was closed"));
        }
    }

    /** Waits at the gate, where another one asks Redis or holds the lock. */
    void waits(Gate where) {
        if (!waitsForAnother()) {
            where.leave(this);
        }
    }

    /** Waits while somebody else asks, or may; false when it ended on its way in. */
    boolean waitsForAnother() {
        begin();
        boolean waits = !over.get();
        if (waits) {
            deadline.set(MOMENT);
            waitsForHolder();
        }
        return waits;
    }

    /** Asks Redis from here on, for all that wait at the gate. */
    void represent() {
        begin();
        Gate at = gate;
        if (over.get() && at != null) { // it ended while it was on its way in
            at.leave(this);
        } else {
            if (!effort.hasWaited() && (!wish.hasThread() || !backend.blocking())) {
                deadline.set(MOMENT); // a thread in a blocking call could not be called back anyway
            }
            ask();
        }
    }

    /** The same from another thread than the caller's. */
    void representLater() {
        wish.steps().execute(this::ask);
    }

    /** Stands in the queue already, because the release that went before put it there; nobody said whose the lock is now. */
    void waitForWord() {
        long life = options.terms().keyLifeMillis(options.ttl()); // as good a guess as any
        tryAgainIn(patience.pollPause(options, new AcquireReply.Contended(null, life, false, true)));
    }

    /** Word for the bid comes here from now on; the gate says so under its monitor, or one that has left might be the last. */
    void represents(Standing taken) {
        standing = taken;
        taken.bid.asker = this;
    }

    /** The gate has something for the first that waits: it takes that from its own thread, unless somebody else was faster. */
    void comeToGate(Gate where) {
        wish.steps().execute(() -> where.call(this));
    }

    /** Ends it as if its caller had given up; the caller is told by that exception. */
    void fail(RuntimeException reason) {
        result.completeExceptionally(reason);
    }

    LockNotAcquiredException notAcquired(@Nullable Throwable cause) {
        return new LockNotAcquiredException(
                wish.name().key(), effort.elapsed(), effort.attempts(), LockInfo.Holder.of(seen()), cause);
    }

    void ask() {
        Standing current = standing;
        if (over.get() || current == null) {
            return;
        }
        pause.asking();
        long now = engine.clock.nanoTime();
        Bid bid = current.bid; // once: the standing may be another's by now
        Bid.HandedOver word = bid.claimByWord(now);
        if (word != null) {
            granted(word.grant(), word.sentAt(), bid);
            return;
        }
        effort.asks();
        current.askedAt = now;
        current.asking = true;
        // A blocking client can't be called back at the deadline: near it, let another thread do the waiting.
        if (backend.blocking() && patience.endsWithin(backend.commandTimeout(), now - effort.startedAt)) {
            deadline.set(effort.asked() == 1 ? MOMENT : 0);
            engine.io.execute(() -> send(current));
        } else {
            send(current);
        }
    }

    private void send(Standing current) {
        long sentAt = current.askedAt;
        Bid sent = current.bid;
        boolean waits = mayRetry() && patience.queues();
        if (waits) {
            engine.switchboard.add(sent); // first: word may be faster than the answer
        }
        CompletableFuture<AcquireReply> reply = sent.send(engine.fenceFloor(options, backend), waits, sentAt);
        CompletableFuture<AcquireReply> limited =
                engine.alarms.within(reply, backend.commandTimeout().toNanos(), "acquire");
        Futures.onDone(limited, (answer, failed) -> {
            current.asking = false;
            Throwable error = answer == null ? BackendErrors.unwrap(failed) : null;
            // Claimed before it is settled: withdrawn in between, the grant would be nobody's to undo.
            boolean won = answer instanceof AcquireReply.Granted && sent.claim();
            if (error == null || !BackendErrors.isAmbiguous(error)) {
                sent.settled(reply);
            }
            if (won && answer instanceof AcquireReply.Granted granted) {
                granted(granted, sentAt, sent);
            } else if (!over.get() && answer instanceof AcquireReply.Contended contended) {
                contended(contended, current);
            } else if (!over.get() && error != null) { // otherwise somebody else asks by now
                retryOrFail(error, current);
            }
            if (answer != null) {
                engine.cleaner.answered(backend);
            }
            engine.listen(); // last: the first answer of all need not wait for it
        });
    }

    private void contended(AcquireReply.Contended contended, Standing current) {
        current.heard(contended);
        if (mayRetry()) {
            waitsForHolder();
            tryAgainIn(patience.pollPause(options, contended));
        } else {
            refuse();
        }
    }

    private void waitsForHolder() {
        if (effort.begunToWait()) {
            wish.events().contended(this);
        }
    }

    /** Redis granted what was sent then, and this is the first answer to say so. */
    void granted(AcquireReply.Granted granted, long sentAt, Bid sent) {
        engine.highestFence.accumulateAndGet(granted.fenceBase(), Math::max);
        sent.asker = null; // nothing to wait for any more, and a lease may be kept for long
        long now = engine.clock.nanoTime();
        if (granted.wanted()) {
            sent.want(now);
        }
        Hold hold = new Hold(sent, granted, sentAt);
        if (!hold.isValid(now)) {
            engine.switchboard.remove(sent);
            sent.withdraw(engine.cleaner, true);
            retryExpired(sent);
            return;
        }
        engine.switchboard.add(sent);
        hold.succession = Succession.of(engine, hold, granted.behind());
        Gate through = gate;
        if (through != null) {
            through.won(hold, this);
        } else if (!receive(hold, sentAt)) {
            engine.releaser.giveUp(hold);
        }
    }

    /** That bid is withdrawn: whoever asks now, which may be an heir at the gate, needs another one. */
    private void retryExpired(Bid spent) {
        Standing current = standing;
        Gate at = gate;
        Acquisition asker = at != null ? at.bidAnew(spent) : over.get() ? null : this;
        if (asker != null && !equals(asker)) {
            asker.representLater();
        } else if (asker != null && current != null) {
            current.bidAnew(this, spent);
            retryOrFail(RedisConnectionException.noReply("granted, but the answer came after its ttl", null), current);
        }
    }

    /** Makes the hold this caller's, for a turn; false when the caller has gone. */
    boolean receive(Hold hold, long since) {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        settle();
        TokenLease lease = TokenLease.begin(engine, hold, since, wish, since - effort.startedAt);
        wish.events().acquired(lease, effort);
        Futures.handOver(lease, lease, result); // back if cancelled in the very last moment
        return true;
    }

    private void retryOrFail(Throwable error, Standing current) {
        long now = engine.clock.nanoTime();
        current.failed(error, now);
        if (mayRetry() && !isHopeless(error, now - current.failingSince)) {
            tryAgainIn(patience.backoff(options, current.failuresInARow));
        } else {
            giveUp(error);
        }
    }

    /** Whether this caller would give up on an error that has lasted that long. */
    boolean isHopeless(Throwable error, long lasted) {
        return !BackendErrors.isPassing(error) || lasted > patience.longestOutage(options, backend.commandTimeout());
    }

    private boolean mayRetry() {
        return effort.asked() < patience.maxAttempts() && effort.nanos() < patience.waitNanos();
    }

    private void tryAgainIn(long nanos) {
        long now = engine.clock.nanoTime();
        deadline.set(0);
        if (patience.after(now - effort.startedAt).waitNanos() > nanos) {
            pause.until(now + nanos);
        } else { // another try would be later than the caller allowed; word may still come sooner
            pause.untilWord();
        }
        if (over.get()) { // meanwhile
            deadline.cancel();
            pause.cancel();
        }
    }

    /** The deadline rings: what was heard last is the answer. */
    private void timeIsUp() {
        Standing current = standing;
        Throwable error = failure();
        boolean hung = current != null && current.isHung(engine.clock.nanoTime(), backend.commandTimeout());
        if (seen() != null && error == null && !hung) {
            refuse();
        } else {
            giveUp(error != null ? error : RedisConnectionException.noReply("no reply before the wait was over", null));
        }
    }

    /** Who was last seen with the lock, by this one or by the one that asks for it. */
    private AcquireReply.@Nullable Contended seen() {
        Standing current = standing;
        Gate at = gate;
        return current != null ? current.busy : at != null ? at.seen() : null;
    }

    private @Nullable Throwable failure() {
        Standing current = standing;
        Gate at = gate;
        return current != null ? current.failure : at != null ? at.failure() : null;
    }

    private void refuse() {
        if (over.compareAndSet(false, true)) {
            wish.events().timedOut(this);
            cleanUp();
            result.complete(null);
        }
    }

    void giveUp(Throwable error) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        LockBackendException exception =
                BackendErrors.exception("acquire", wish.name().key(), backend.endpoint(), effort.elapsed(), error);
        Gate at = gate;
        Standing current = standing;
        if (at != null && current != null) {
            at.failed(error, engine.clock.nanoTime() - current.failingSince);
        }
        cleanUp();
        wish.events().acquireFailed(this, exception);
        if (exception.isUnavailable() && options.onUnavailable() != FailurePolicy.FAIL && !isDegraded()) {
            wish.events().degraded(this, exception);
            Fallback.goOn(engine, wish, effort.startedAt, result);
        } else {
            result.completeExceptionally(exception);
        }
    }

    private void cleanUp() {
        settle();
        Standing current = standing; // read before the gate, set before it: what is the gate's is not withdrawn here
        Gate at = gate;
        if (at != null) {
            at.leave(this);
        } else if (current != null) {
            current.bid.withdraw(engine.cleaner, false);
            engine.switchboard.remove(current.bid); // last: one who is about to add it sees that it was withdrawn
        }
    }

    private void settle() {
        engine.waiting.remove(this); // before its caller goes on
        deadline.cancel();
        pause.cancel();
        Ride together = ride;
        if (together != null) {
            together.over();
        }
    }

    boolean isOver() {
        return over.get();
    }

    Bid newBid() {
        return new Bid(backend, wish.name(), options, engine.tokens);
    }

    boolean isDegraded() {
        return engine.isLocal(backend);
    }
}
