// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.ReleaseRequest;
import io.holdfast.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One grant by Redis, and all that is known of its validity. A {@link TokenLease} is a view of it; several may be one after
 * the other, when it passes from hand to hand at a {@link Gate}.
 *
 * <p><b>Safety.</b> The state moves once, from HELD to RELEASED or LOST, and before anything is sent: from then on nobody
 * in this process counts on the lock, so the server may give it away at any later instant.
 *
 * <p><b>Clocks.</b> {@code validUntil} is counted from before the granting or renewing command was sent; the server's TTL
 * started later, so it ends later. The margin covers the drift between the two clocks. A renewal that is answered after
 * {@code validUntil} is a loss: in between nobody could prove the lock was ours.
 */
final class Hold extends DueHeap.Entry {
    enum State {
        HELD,
        RELEASED,
        LOST
    }

    final Bid bid;
    final long fenceBase;
    private final boolean handedOver;
    /** A taker gets the time it asked for, but for this much. */
    private static final long SLACK = Duration.ofMillis(10).toNanos();

    /** 146 years: later than any other instant, and still so after a while has been added to both. */
    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** Where it passes from hand to hand, or null; set before it is anybody's. */
    volatile @Nullable Gate gate;

    /** Who of this process has it next, with a fair lock; null with any other. Set before it is anybody's. */
    volatile @Nullable Succession succession;

    // Guarded by this; read without it where an old value does no harm.
    /** What Redis confirmed. */
    private volatile long provenUntil;
    /** When the lease that uses it ends whatever is renewed: its maximum hold, or its limit. */
    private volatile long endsAt;

    private volatile long keyLivesUntil;
    private boolean bounded;
    private volatile boolean released;
    private volatile @Nullable LostReason lostReason;
    private volatile @Nullable TokenLease lease;
    /** Set by the keeper, under its lock: whether the next due time is a renewal or the end of validity. */
    boolean renewalDue;
    /** Whether the last automatic renewal did not get through. */
    volatile boolean renewalFails;
    /** Whether the keeper's plan does not fit whoever uses it next: it is new, or a renewal was left out while it was idle. */
    volatile boolean needsSchedule = true;

    /** @param sentAt when the granting command was sent */
    Hold(Bid bid, AcquireReply.Granted grant, long sentAt) {
        this.bid = bid;
        this.fenceBase = grant.fenceBase();
        this.handedOver = grant.handedOver();
        LockOptions options = options();
        this.provenUntil = proven(sentAt, options.ttl());
        this.endsAt = provenUntil + FOREVER;
        this.keyLivesUntil = sentAt + options.ttl().plus(options.tolerance()).toNanos();
        bid.hold = this;
    }

    LockBackend backend() {
        return bid.backend;
    }

    LockName name() {
        return bid.name;
    }

    LockOptions options() {
        return bid.options;
    }

    /** What stands at the key. Made anew each time: it would be a quarter of the memory a lease takes. */
    String value() {
        return value(bid.token());
    }

    private String value(String token) {
        return LockValue.fenced(token, fenceBase, handedOver);
    }

    /**
     * Makes it a lease's.
     *
     * @param since when the lease begins
     * @param longest how long it may last whatever is renewed, {@link Long#MAX_VALUE} for no limit
     */
    synchronized void use(TokenLease newLease, long since, long longest) {
        bounded = longest != Long.MAX_VALUE;
        if (bounded) {
            needsSchedule = true;
        }
        endsAt = since + Math.min(longest, FOREVER);
        lease = newLease;
    }

    /** The lease that used it is over, and nobody else's yet. */
    synchronized void idle() {
        lease = null;
        if (bounded) {
            needsSchedule = true;
        }
        bounded = false;
        endsAt = provenUntil + FOREVER;
    }

    /** Who uses it now; null while it is idle. */
    @Nullable
    TokenLease lease() {
        return lease;
    }

    /** When the command was sent that proved it last. */
    long provenFrom() {
        return provenUntil - LeaseTerms.validNanos(options().ttl());
    }

    /** What one of this process that wants the lock is told of it. */
    AcquireReply.Contended seen(long now) {
        long left = Math.max(0, TimeUnit.NANOSECONDS.toMillis(remaining(now)));
        return new AcquireReply.Contended(value(), left, false, false);
    }

    long remaining(long now) {
        return validUntil() - now;
    }

    /** Whether a new lease on it is as good as a new grant: one that is renewed may begin with less than its TTL. */
    boolean isFresh(long now) {
        return state() == State.HELD && isFresh(options(), provenUntil - now);
    }

    /** The same for a grant that was proven that long ago. */
    static boolean wouldBeFresh(LockOptions options, long age) {
        return isFresh(options, LeaseTerms.validNanos(options.ttl()) - age);
    }

    private static boolean isFresh(LockOptions options, long left) {
        long whole = LeaseTerms.validNanos(options.ttl());
        return options.renews() ? left > whole / 2 : left >= whole - SLACK;
    }

    State state() {
        return released ? State.RELEASED : lostReason == null ? State.HELD : State.LOST;
    }

    @Nullable
    LostReason lostReason() {
        return lostReason;
    }

    boolean isValid(long now) {
        return state() == State.HELD && now - validUntil() < 0;
    }

    long validUntil() {
        long until = provenUntil;
        long end = endsAt;
        return end - until < 0 ? end : until;
    }

    /** When the key is gone at the latest if nothing extends it: clean-up after that is pointless. */
    boolean keyMayLive(long now) {
        return now - keyLivesUntil < 0;
    }

    /** Whether renewing can still make it last longer. */
    boolean canBeExtended() {
        return provenUntil - endsAt < 0;
    }

    LostReason reasonOfEnd() {
        return provenUntil - endsAt >= 0 ? LostReason.MAX_HOLD : LostReason.EXPIRED;
    }

    /** HELD to RELEASED; false when it was not valid any more, or somebody else was first. */
    synchronized boolean close(long now) {
        if (!isValid(now)) {
            return false;
        }
        released = true;
        return true;
    }

    /** HELD to LOST; false when somebody else was first, or it has passed to one whose time is not over yet. */
    synchronized boolean lose(LostReason reason, long now) {
        boolean byTime = reason == LostReason.EXPIRED || reason == LostReason.MAX_HOLD;
        if (state() != State.HELD || (byTime && isValid(now))) {
            return false;
        }
        lostReason = reason;
        return true;
    }

    /** Applies a renewal that Redis confirmed; false when the confirmation came too late to count. */
    synchronized boolean extend(long sentAt, Duration ttl, long now) {
        if (!isValid(now)) {
            return false;
        }
        renewalFails = false;
        long until = proven(sentAt, ttl);
        if (until - provenUntil > 0) {
            provenUntil = until;
        }
        keepKeyUntil(sentAt + ttl.plus(options().tolerance()).toNanos());
        return true;
    }

    /** A renewal by hand, which may also shorten what the holder is promised; but not what the next one is. */
    @SuppressWarnings("ReferenceEquality") // that very lease
    synchronized boolean resize(TokenLease by, long sentAt, Duration ttl, long now) {
        if (!isValid(now)) {
            return false;
        }
        renewalFails = false;
        if (lease == by) {
            provenUntil = proven(sentAt, ttl);
        }
        keepKeyUntil(sentAt + ttl.plus(options().tolerance()).toNanos());
        return true;
    }

    /** What the next automatic renewal asks for: to the end of the hold, and the margin that validity loses again. */
    Duration nextTtl(long now) {
        Duration left =
                Duration.ofNanos(endsAt - now).plus(LeaseTerms.margin(options().ttl()));
        return left.compareTo(options().ttl()) < 0 ? left : options().ttl();
    }

    RenewRequest renewal(Duration ttl) {
        String owner = options().owner().orElse(null);
        return new RenewRequest(
                name(),
                owner == null ? value() : bid.token(),
                owner,
                Math.max(1, options().terms().keyLifeMillis(ttl)));
    }

    /** @param company the tries that stand in the queue with it, in that order */
    ReleaseRequest release(boolean wanted, List<AcquireRequest> company, List<Bid> served) {
        String token = bid.token();
        return new ReleaseRequest(
                name(),
                token,
                value(token),
                options().owner().orElse(null),
                options().countsHolds(),
                wanted,
                company.isEmpty() ? null : company.get(0),
                options().fair(),
                company.size() < 2
                        ? List.of()
                        : company.stream()
                                .skip(1)
                                .map(AcquireRequest::queueEntry)
                                .toList(),
                served.isEmpty()
                        ? List.of()
                        : served.stream().map(Bid::queueEntry).toList());
    }

    private void keepKeyUntil(long instant) {
        if (instant - keyLivesUntil > 0) {
            keyLivesUntil = instant;
        }
    }

    private long proven(long sentAt, Duration ttl) {
        return sentAt + LeaseTerms.validNanos(ttl);
    }
}
