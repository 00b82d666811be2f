// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Lease} an application holds: a view of a {@link Hold} with a closed bit of its own, so a second release of an
 * old lease can never touch what came after it.
 */
final class TokenLease implements Lease {
    private final Engine engine;
    private final Hold hold;
    private final int turn;
    private final long grantedAt;
    private final LockOptions options;
    private final @Nullable Thread interruptee;
    private final Events events;

    // Guarded by this; released is read without.
    private volatile boolean released;
    private @Nullable LostReason lost;
    private List<Consumer<LostReason>> callbacks = List.of();

    TokenLease(Engine engine, Hold hold, long grantedAt, Wish wish) {
        this.engine = engine;
        this.hold = hold;
        this.turn = hold.bid.nextTurn();
        this.grantedAt = grantedAt;
        this.options = wish.options();
        this.interruptee = options.interruptsOnLoss() && wish.steps() instanceof CallerDriver own ? own.caller() : null;
        this.events = wish.events();
    }

    /**
     * Makes a hold somebody's, for a turn.
     *
     * @param spent how much of what the options allow for acquire and block together is over
     */
    static TokenLease begin(Engine engine, Hold hold, long since, Wish wish, long spent) {
        TokenLease lease = new TokenLease(engine, hold, since, wish);
        hold.use(lease, since, lease.options.longestHold(spent));
        engine.keeper.inUse(hold);
        LostReason lost = hold.lostReason();
        if (lost != null) { // between two hands: nobody was there to be told
            lease.tellLost(lost);
        }
        return lease;
    }

    Hold hold() {
        return hold;
    }

    /** What this caller asked for; the hold may be another's wish that was passed on. */
    LockOptions options() {
        return options;
    }

    /** Who is told of this lease. */
    Events events() {
        return events;
    }

    Duration heldFor() {
        return heldUntil(engine.clock.nanoTime());
    }

    Duration heldUntil(long now) {
        return Duration.ofNanos(now - grantedAt);
    }

    OptionalLong fence() {
        return hold.fenceBase == 0 ? OptionalLong.empty() : OptionalLong.of(Fence.token(hold.fenceBase, turn));
    }

    /** What can be told of it; null when it is over. */
    @Nullable
    HeldLease seen(long now) {
        if (released || !hold.isValid(now)) {
            return null;
        }
        return new HeldLease(
                key(),
                hold.options().label().orElse(null),
                heldFor(),
                Duration.ofNanos(hold.remaining(now)),
                fence(),
                isDegraded(),
                hold.renewalFails);
    }

    @Override
    public String key() {
        return hold.name().key();
    }

    @Override
    public String token() {
        return hold.value();
    }

    @Override
    public long fencingToken() {
        return fence().orElseThrow(() -> new IllegalStateException(
                isDegraded()
                        ? "Lock " + key() + " is degraded: Redis was unavailable, so there is no fencing token"
                        : "Lock " + key() + " was taken with fencing off"));
    }

    @Override
    public Duration remaining() {
        return isHeld() ? Duration.ofNanos(Math.max(0, hold.validUntil() - engine.clock.nanoTime())) : Duration.ZERO;
    }

    @Override
    public boolean isHeld() {
        return !released && isHeld(engine.clock.nanoTime());
    }

    private boolean isHeld(long now) {
        if (released) {
            return false; // the hold may be another's by now
        }
        if (hold.isValid(now)) {
            return true;
        }
        if (hold.state() == Hold.State.HELD) { // a paused process learns here, before its timer gets to run
            engine.keeper.lose(hold, hold.reasonOfEnd());
        }
        return false;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw lostReason()
                    .<RuntimeException>map(reason -> new LockLostException(key(), reason, heldFor()))
                    .orElseGet(() -> new IllegalStateException("Lease of lock " + key() + " was released"));
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // this very lease
    public Optional<LostReason> lostReason() {
        LostReason found = hold.lease() == this ? hold.lostReason() : null;
        if (found != null) { // also before this lease has been told
            return Optional.of(found);
        }
        synchronized (this) {
            return Optional.ofNullable(lost);
        }
    }

    @Override
    public boolean isDegraded() {
        return engine.isLocal(hold.backend());
    }

    @Override
    public boolean renew(Duration ttl) {
        Limits.ttl("ttl", ttl);
        if (ttl.compareTo(hold.options().maxTtl()) > 0) {
            throw new IllegalArgumentException("renew(" + ttl + ") of lock " + key() + " asks for more than its ttl "
                    + hold.options().maxTtl() + "; take it with LockOptions.maxTtl to allow that");
        }
        return isHeld() && CallerDriver.uninterrupted(hold.backend().lookout(), () -> engine.releaser.renew(this, ttl));
    }

    @Override
    public Lease onLost(Consumer<LostReason> callback) {
        Limits.given("callback", callback);
        LostReason already;
        synchronized (this) {
            already = lost;
            if (already == null && !released) {
                List<Consumer<LostReason>> more = new ArrayList<>(callbacks);
                more.add(callback);
                callbacks = more;
            }
        }
        if (already != null) {
            engine.callBack(() -> callback.accept(already));
        }
        return this;
    }

    @Override
    public boolean release() {
        return CallerDriver.uninterrupted(hold.backend().lookout(), () -> release(Runnable::run, 0));
    }

    @Override
    public boolean releaseAfter(Duration time) {
        Duration most = hold.options().maxTtl().plus(hold.options().tolerance());
        long millis = (Limits.notNegative("time", time).compareTo(most) < 0 ? time : most).toMillis();
        if (hold.options().owner().isPresent()) {
            throw new IllegalStateException("Lock " + key() + " has an owner, who may hold it more than once:"
                    + " it can't be released after a while");
        }
        return CallerDriver.uninterrupted(hold.backend().lookout(), () -> release(Runnable::run, millis));
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        CompletableFuture<Boolean> promise = new CompletableFuture<>();
        Futures.onDone(
                release(engine.sender(hold.backend()), 0),
                (released, failed) -> engine.outside(() -> {
                    if (released != null) {
                        promise.complete(released);
                    } else {
                        promise.completeExceptionally(BackendErrors.unwrap(failed));
                    }
                }));
        return promise;
    }

    private CompletableFuture<Boolean> release(Executor sender, long afterMillis) {
        long now = engine.clock.nanoTime(); // once: asking for it takes longer than giving a lock back in memory
        boolean wasHeld = isHeld(now);
        synchronized (this) {
            if (released) {
                return CompletableFuture.completedFuture(false);
            }
            released = true;
            callbacks = lost == null ? List.of() : callbacks;
        }
        return afterMillis == 0
                ? engine.releaser.release(this, wasHeld, now, sender)
                : engine.releaser.releaseAfter(this, wasHeld, afterMillis);
    }

    /** Called once, by whoever moved the hold to LOST, or by the release that found the key gone. */
    void tellLost(LostReason reason) {
        List<Consumer<LostReason>> told;
        synchronized (this) {
            if (lost != null) {
                return;
            }
            lost = reason;
            told = callbacks;
            callbacks = List.of();
            if (interruptee != null && !released) {
                interruptee.interrupt();
            }
        }
        events.lost(this, reason);
        told.forEach(callback -> engine.callBack(() -> callback.accept(reason)));
    }

    @Override
    public String toString() {
        return "Lease[" + key() + ", " + Tokens.hint(hold.bid.token()) + (isHeld() ? ", held]" : ", not held]");
    }
}
