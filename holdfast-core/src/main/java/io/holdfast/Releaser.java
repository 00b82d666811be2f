// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.RenewReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a holder does to its own lease: give it back, or renew it by hand.
 *
 * <p><b>Safety.</b> {@code isHeld()} turns false before the release is sent. Release compares the token on the server, so a
 * late or repeated one never touches the next holder.
 *
 * <p><b>Ambiguity.</b> A release without an answer is sent once more. That second one may find nothing because the first one
 * did its work: as the lease was valid when the first was sent, the answer is then true.
 */
final class Releaser {
    private final Engine engine;
    private final AtomicInteger underWay = new AtomicInteger();

    Releaser(Engine engine) {
        this.engine = engine;
    }

    CompletableFuture<Boolean> release(TokenLease lease, boolean wasHeld, Executor sender) {
        Hold hold = lease.hold();
        long now = engine.clock.nanoTime();
        if (!wasHeld || !hold.close(now)) {
            if (hold.keyMayLive(now)) { // lost to its holder, but the next one need not wait for the key to end
                engine.cleaner.leave(hold.bid.target());
            }
            return CompletableFuture.completedFuture(false);
        }
        underWay.incrementAndGet(); // first, so that close() finds the hold with the keeper or here
        engine.keeper.drop(hold);
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Futures.onDone(result, (freed, failed) -> underWay.decrementAndGet());
        sendBy(sender, lease, 1, result);
        return result;
    }

    /** Releases sent, or about to be, that have no answer yet. */
    int underWay() {
        return underWay.get();
    }

    private void sendBy(Executor sender, TokenLease lease, int attempt, CompletableFuture<Boolean> result) {
        try {
            sender.execute(() -> send(lease, sender, attempt, result));
        } catch (RejectedExecutionException e) { // closed meanwhile, with its threads
            failed(lease, RedisConnectionException.notSent("Holdfast was closed", e), result);
        }
    }

    private void send(TokenLease lease, Executor sender, int attempt, CompletableFuture<Boolean> result) {
        Hold hold = lease.hold();
        CompletableFuture<Boolean> reply = engine.alarms.within(
                hold.backend.release(hold.release()),
                hold.backend.commandTimeout().toNanos(),
                "release");
        Futures.onDone(reply, (freed, failed) -> {
            if (freed != null) {
                released(lease, freed || attempt > 1, result);
            } else if (attempt == 1 && BackendErrors.isPassing(BackendErrors.unwrap(failed))) {
                sendBy(sender, lease, 2, result);
            } else {
                failed(lease, BackendErrors.unwrap(failed), result);
            }
        });
    }

    private void released(TokenLease lease, boolean freed, CompletableFuture<Boolean> result) {
        lease.hold().bid.close(engine.cleaner);
        if (freed) {
            engine.events.released(lease);
        } else {
            lease.tellLost(LostReason.GONE);
        }
        result.complete(freed);
    }

    private void failed(TokenLease lease, Throwable error, CompletableFuture<Boolean> result) {
        Hold hold = lease.hold();
        engine.cleaner.abandon(hold.bid.target(), List.of());
        LockBackendException exception =
                BackendErrors.exception("release", hold.name.key(), hold.backend.endpoint(), lease.heldFor(), error);
        engine.events.releaseFailed(lease, exception);
        result.completeExceptionally(exception);
    }

    CompletableFuture<Boolean> renew(TokenLease lease, Duration ttl) {
        Hold hold = lease.hold();
        long sentAt = engine.clock.nanoTime();
        return engine.alarms
                .within(
                        hold.backend.renew(List.of(hold.renewal(ttl))),
                        hold.backend.commandTimeout().toNanos(),
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
        if (!hold.resize(sentAt, ttl, now)) {
            engine.keeper.lose(hold, hold.reasonOfEnd());
            return false;
        }
        engine.keeper.rescheduled(hold, sentAt);
        engine.events.renewed(hold);
        return true;
    }

    private LockBackendException renewFailed(TokenLease lease, Throwable error) {
        Hold hold = lease.hold();
        engine.events.renewalFailed(hold, error);
        return BackendErrors.exception("renew", hold.name.key(), hold.backend.endpoint(), lease.heldFor(), error);
    }
}
