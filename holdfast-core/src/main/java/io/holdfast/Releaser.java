// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.ReleaseReply;
import io.holdfast.spi.RenewReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a holder does to its own lease: give it back, or renew it by hand. Given back, it stays in this process where others
 * wait for it ({@link Gate}); if not, it goes to Redis, and with it the next of this process into the queue.
 *
 * <p><b>Safety.</b> {@code isHeld()} turns false before the release is sent. Release compares the token on the server, so a
 * late or repeated one never touches the next holder.
 *
 * <p><b>Ambiguity.</b> A release without an answer is sent once more. That second one may find nothing because the first one
 * did its work: as the lease was valid when the first was sent, the answer is then true, unless the first has said by then that
 * it found nothing, or was refused.
 */
final class Releaser {
    private static final CompletableFuture<Boolean> KEPT = CompletableFuture.completedFuture(true);

    private final Engine engine;
    private final AtomicInteger underWay = new AtomicInteger();

    Releaser(Engine engine) {
        this.engine = engine;
    }

    /** @param now an instant before that: what is passed on, or sent, is looked at once more then */
    CompletableFuture<Boolean> release(TokenLease lease, boolean wasHeld, long now, Executor sender) {
        Hold hold = lease.hold();
        if (!wasHeld || !hold.isValid(now)) {
            return CompletableFuture.completedFuture(lateFor(hold, now));
        }
        Gate gate = hold.gate;
        GivenBack back = gate == null ? GivenBack.TO_REDIS : gate.giveBack(hold, now);
        Succession succession = hold.succession;
        if (back.kept() || (succession != null && succession.passOn())) {
            lease.events().released(lease, now);
            return KEPT;
        }
        if (!hold.bid.mayBeWanted() && hold.backend().glance()) {
            // Word may be on its way: to look at the queue costs less than to be called back to it.
            hold.bid.want(now);
        }
        long sentAt = engine.clock.nanoTime(); // anew: a release that is sent once more counts on this
        if (!hold.close(sentAt)) {
            engine.keeper.lose(hold, hold.reasonOfEnd()); // it may have ended since, and the timer not have run yet
            back.askAfresh();
            LostReason lost = hold.lostReason();
            if (lost != null) {
                lease.tellLost(lost);
            }
            return CompletableFuture.completedFuture(lateFor(hold, sentAt));
        }
        hold.bid.spend();
        underWay.incrementAndGet(); // first, so that close() finds the hold with the keeper or here
        engine.keeper.drop(hold);
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Futures.onDone(result, (freed, failed) -> underWay.decrementAndGet());
        sendBy(sender, new Release(engine, lease, succession == null ? back : succession.toRedis()), result);
        return result;
    }

    /** Lost to its holder, but the next one need not wait for the key to end. */
    private boolean lateFor(Hold hold, long now) {
        if (hold.keyMayLive(now)) {
            engine.cleaner.leave(hold.bid.target());
        }
        return false;
    }

    /** Gives back a hold that is nobody's lease; null is none. */
    void giveUp(@Nullable Hold hold) {
        if (hold == null) {
            return;
        }
        boolean open = hold.close(engine.clock.nanoTime());
        engine.keeper.drop(hold);
        engine.switchboard.remove(hold.bid);
        if (open) {
            hold.bid.withdraw(engine.cleaner, true);
        }
        Succession succession = hold.succession;
        if (succession != null) {
            succession.leave();
        }
    }

    /** Releases sent, or about to be, that have no answer yet. */
    int underWay() {
        return underWay.get();
    }

    private void sendBy(Executor sender, Release release, CompletableFuture<Boolean> result) {
        try {
            sender.execute(() -> send(release, sender, result));
        } catch (RejectedExecutionException e) { // closed meanwhile, with its threads
            failed(release, RedisConnectionException.notSent("Holdfast was closed", e), result);
        }
    }

    private void send(Release release, Executor sender, CompletableFuture<Boolean> result) {
        Futures.onDone(release.send(), (reply, failed) -> {
            if (reply != null) {
                released(release, reply, result);
                return;
            }
            Throwable error = BackendErrors.unwrap(failed);
            release.unanswered(error);
            if (release.isFirst() && BackendErrors.isPassing(error)) {
                sendBy(sender, release, result);
            } else {
                failed(release, error, result);
            }
        });
    }

    private void released(Release release, ReleaseReply reply, CompletableFuture<Boolean> result) {
        TokenLease lease = release.lease;
        lease.hold().bid.close(engine.cleaner);
        release.done();
        release.goOn(reply);
        boolean freed = reply.released() || release.firstMayHaveFreed();
        if (freed) {
            lease.events().released(lease, engine.clock.nanoTime());
        } else {
            lease.tellLost(LostReason.GONE);
        }
        result.complete(freed);
    }

    private void failed(Release release, Throwable error, CompletableFuture<Boolean> result) {
        TokenLease lease = release.lease;
        Hold hold = lease.hold();
        release.failed();
        engine.cleaner.abandon(hold.bid.target(), List.of());
        release.done();
        release.askAfresh();
        LockBackendException exception = BackendErrors.exception(
                "release", hold.name().key(), hold.backend().endpoint(), lease.heldFor(), error);
        lease.events().releaseFailed(lease, exception);
        result.completeExceptionally(exception);
    }

    /**
     * The holder is done, but nobody is to have the lock yet: not the next that waits here, and no clean-up may take it off. Late
     * copies of its acquire can only lengthen its life to its TTL. Sent once more like any release: it is idempotent.
     */
    CompletableFuture<Boolean> releaseAfter(TokenLease lease, boolean wasHeld, long millis) {
        Hold hold = lease.hold();
        if (!wasHeld || !hold.close(engine.clock.nanoTime())) {
            return CompletableFuture.completedFuture(false);
        }
        hold.bid.spend();
        underWay.incrementAndGet(); // first, as above
        engine.keeper.drop(hold);
        engine.switchboard.remove(hold.bid);
        CompletableFuture<Boolean> result = sendEnd(hold, millis)
                .exceptionallyCompose(failed -> BackendErrors.isPassing(BackendErrors.unwrap(failed))
                        ? sendEnd(hold, millis)
                        : CompletableFuture.failedFuture(failed))
                .handle((ended, failed) -> ended(lease, ended, failed));
        Futures.onDone(result, (ended, failed) -> underWay.decrementAndGet());
        return result;
    }

    private CompletableFuture<Boolean> sendEnd(Hold hold, long millis) {
        return engine.alarms.within(
                hold.backend().end(hold.name(), hold.value(), millis),
                hold.backend().commandTimeout().toNanos(),
                "release");
    }

    private boolean ended(TokenLease lease, @Nullable Boolean ended, @Nullable Throwable failed) {
        Hold hold = lease.hold();
        Gate gate = hold.gate;
        if (gate != null) {
            gate.lost(hold); // only now: whoever asks next is to see when the lock ends
        }
        Succession succession = hold.succession;
        if (succession != null) {
            succession.leave(); // likewise
        }
        if (ended == null) {
            LockBackendException exception = BackendErrors.exception(
                    "release",
                    hold.name().key(),
                    hold.backend().endpoint(),
                    lease.heldFor(),
                    BackendErrors.unwrap(failed));
            lease.events().releaseFailed(lease, exception);
            throw exception;
        }
        if (ended) {
            lease.events().released(lease, engine.clock.nanoTime());
        } else {
            lease.tellLost(LostReason.GONE);
        }
        return ended;
    }

    CompletableFuture<Boolean> renew(TokenLease lease, Duration ttl) {
        Hold hold = lease.hold();
        long sentAt = engine.clock.nanoTime();
        return engine.alarms
                .within(
                        hold.backend().renew(List.of(hold.renewal(ttl))),
                        hold.backend().commandTimeout().toNanos(),
                        "renew")
                .handle((replies, failed) -> {
                    if (replies == null) {
                        throw renewFailed(lease, BackendErrors.unwrap(failed));
                    }
                    return renewed(lease, replies.get(0), ttl, sentAt);
                });
    }

    private boolean renewed(TokenLease lease, RenewReply reply, Duration ttl, long sentAt) {
        Hold hold = lease.hold();
        long now = engine.clock.nanoTime();
        if (reply instanceof RenewReply.Failed failed) {
            throw renewFailed(lease, new RedisReplyException(failed.message()));
        }
        if (reply instanceof RenewReply.Gone) {
            engine.keeper.lose(hold, LostReason.GONE);
            return false;
        }
        if (!hold.resize(lease, sentAt, ttl, now)) {
            engine.keeper.lose(hold, hold.reasonOfEnd());
            return false;
        }
        engine.keeper.rescheduled(hold, sentAt);
        Events.renewed(hold);
        return lease.isHeld();
    }

    private LockBackendException renewFailed(TokenLease lease, Throwable error) {
        Hold hold = lease.hold();
        Events.renewalFailed(hold, error);
        return BackendErrors.exception(
                "renew", hold.name().key(), hold.backend().endpoint(), lease.heldFor(), error);
    }
}
