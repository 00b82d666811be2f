// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of this process queue for one lock. One of them asks Redis for all; what it wins passes from one to the
 * next without a command, until others are due.
 *
 * <p><b>Safety.</b> There is at most one hold, and it is idle or one lease's. A lease is over (its {@code isHeld()} false)
 * before the hold is idle, and only an idle hold that is valid is taken. Each who takes it gets a turn number of its own, so a
 * higher fencing token. A lost hold is dropped, never passed on. One that is nearer to its end than its taker asked for is
 * asked for once more first.
 *
 * <p><b>Fairness.</b> Waking a thread takes longer than most critical sections. So a release leaves the hold idle and calls
 * the first that waits; whoever comes by meanwhile may take it. If the first finds it taken when it arrives, a seventh time or
 * 8 ms after it was first called, the next release hands it the hold directly. Once another process wants the lock, turns and
 * time are counted ({@link Bid#isDueToOthers}); the next visit begins with the first that waits, so the threads take turns.
 *
 * <p><b>Liveness.</b> Whoever leaves passes on what it had: the place at Redis to the next that waits, the call to come to the
 * next in line. A grant that nobody here waits for any more goes back at once. Callbacks run outside of the monitor.
 */
final class Gate {
    /** What became of somebody who came to the gate. */
    enum Entry {
        IN,
        ON_ITS_OWN,
        GONE
    }

    private final Engine engine;
    private final Gates.Key key;

    // Guarded by this.
    private final GateQueue waiting = new GateQueue();
    private @Nullable Acquisition asking;
    private @Nullable Standing standing;
    private @Nullable Hold hold;
    private boolean idle;
    private long idleSince;
    private boolean retentionArmed;
    private boolean gone;

    Gate(Engine engine, Gates.Key key) {
        this.engine = engine;
        this.key = key;
    }

    Entry enter(Acquisition acquisition) {
        Hold taken = null;
        Standing toAsk = null;
        synchronized (this) {
            if (gone) {
                return Entry.GONE;
            }
            if (idle) {
                taken = takeIdle();
            }
            boolean canAsk = hold == null && asking == null;
            if (taken == null && !canAsk && !acquisition.patience.staysInQueue()) {
                return Entry.ON_ITS_OWN;
            }
            acquisition.gate = this; // before it stands for all: going away now, it would withdraw the bid of all
            if (taken == null && canAsk) {
                toAsk = asks(acquisition);
            } else if (taken == null) {
                waiting.add(acquisition);
            }
        }
        if (taken != null) {
            grant(taken, acquisition);
        } else if (toAsk != null) {
            acquisition.represent();
        } else {
            acquisition.waits(this);
        }
        return Entry.IN;
    }

    /** What lies idle, for a caller that has asked nobody yet; null when there is nothing, and then it leaves no trace. */
    @Nullable
    TokenLease lend(Wish wish) {
        long now = engine.clock.nanoTime();
        Hold taken;
        synchronized (this) {
            if (!idle || hold == null || !hold.isFresh(now)) {
                return null;
            }
            idle = false;
            taken = hold;
        }
        TokenLease lease = TokenLease.begin(engine, taken, now, wish, 0);
        wish.events().taken(lease);
        return lease;
    }

    /** Guarded by this. An idle hold, for use; null when it is too near its end: then it is a bid once more, or nothing. */
    private @Nullable Hold takeIdle() {
        Hold found = hold;
        if (found == null) {
            return null;
        }
        long now = engine.clock.nanoTime();
        idle = false;
        if (found.isFresh(now)) {
            return found;
        }
        reopen(found, now);
        return null;
    }

    /** Guarded by this. What nobody can be given as it is, is a bid once more, or nothing when it is over. */
    private void reopen(Hold old, long now) {
        hold = null;
        if (old.close(now)) { // otherwise it stays with the keeper, who has yet to notice that it is over
            engine.keeper.drop(old);
            old.bid.reopen();
            standing = new Standing(old.bid);
        }
    }

    /** Guarded by this. From now on that one asks Redis for all. */
    private Standing asks(Acquisition acquisition) {
        Standing taken = standing == null ? new Standing(acquisition.newBid()) : standing;
        standing = taken;
        asking = acquisition;
        acquisition.represents(taken);
        return taken;
    }

    /** The one that was called has come. */
    void call(Acquisition first) {
        Hold taken = null;
        Standing toAsk = null;
        synchronized (this) {
            if (waiting.peek() != first) {
                return; // it got something else meanwhile, or left
            }
            waiting.firstHasCome();
            if (idle) {
                taken = takeIdle();
            }
            if (taken == null && hold == null && asking == null) {
                toAsk = asks(first);
            }
            if (taken == null && toAsk == null) {
                if (hold != null) {
                    waiting.firstCameInVain();
                }
                return;
            }
            waiting.poll();
        }
        if (taken != null) {
            grant(taken, first);
        } else if (toAsk != null) {
            first.represent();
        }
    }

    /** Redis granted what one of this gate asked for. */
    void won(Hold won, Acquisition by) {
        Acquisition first;
        synchronized (this) {
            if (gone || hold != null) {
                first = null;
            } else {
                first = asking != null ? asking : by;
                asking = null;
                standing = null;
                hold = won;
                idle = false;
                won.gate = this;
            }
        }
        if (first == null) {
            engine.releaser.giveUp(won);
        } else {
            grant(won, first);
        }
    }

    /** To the first of them that is still there; nobody means back to Redis, or kept for a while. */
    private void grant(Hold granted, Acquisition first) {
        Acquisition next = first;
        while (next != null && !next.receive(granted, engine.clock.nanoTime())) {
            synchronized (this) {
                next = waiting.poll();
            }
        }
        if (next == null) {
            GivenBack what = giveBack(granted, engine.clock.nanoTime());
            if (!what.kept()) {
                engine.releaser.giveUp(granted);
                what.askAfresh();
            }
        }
    }

    /** The lease on the hold is over; says where the hold goes. */
    GivenBack giveBack(Hold back, long now) {
        Acquisition next;
        Acquisition called = null;
        Standing toAsk = null;
        synchronized (this) {
            if (hold != back) {
                return GivenBack.TO_REDIS; // lost meanwhile: the next one asks already
            }
            if (back.bid.mayBeWanted()) {
                back.bid.want(now);
            }
            next = waiting.peek();
            boolean stays = back.isValid(now) && back.bid.hasTurnsLeft() && !engine.isClosed();
            if (!stays || (next == null ? !isRetained(back) : back.bid.isDueToOthers(now))) {
                return dropHold(new Standing.News(back.seen(now), now));
            }
            if (next == null) {
                leaveIdle(back, now);
                armRetention(now);
                return GivenBack.KEPT;
            }
            if (waiting.isFirstDue(now) || !next.wish.hasThread()) {
                waiting.poll();
                back.idle();
                long later = engine.clock.nanoTime();
                if (!back.isFresh(later)) {
                    reopen(back, later);
                    toAsk = asks(next);
                }
            } else {
                leaveIdle(back, now);
                called = waiting.firstToCall(now);
                next = null;
            }
        }
        if (called != null) {
            called.comeToGate(this);
        } else if (next != null && toAsk != null) {
            next.representLater();
        } else if (next != null) {
            grant(back, next);
        }
        return GivenBack.KEPT;
    }

    private static boolean isRetained(Hold back) {
        return !back.options().retention().isZero() && !back.bid.isWanted();
    }

    private void leaveIdle(Hold back, long now) {
        back.idle();
        idle = true;
        idleSince = now;
    }

    /** Guarded by this. The process has the lock no more; the next that waits asks for it. */
    private GivenBack dropHold(Standing.@Nullable News last) {
        hold = null;
        idle = false;
        Acquisition next = waiting.poll();
        if (next == null) {
            goIfEmpty();
            return GivenBack.TO_REDIS;
        }
        asking = next;
        standing = new Standing(next.newBid(), last);
        next.represents(standing); // before anything is sent: word may be faster than the answer
        return new GivenBack(false, List.of(GivenBack.Place.of(next, standing)));
    }

    /** Loss is final; whoever waits has to ask for itself. */
    void lost(Hold lost) {
        GivenBack what;
        synchronized (this) {
            what = hold == lost ? dropHold(null) : GivenBack.KEPT;
        }
        what.askAfresh();
    }

    /** An acquisition is over without a lease. */
    void leave(Acquisition gone) {
        Acquisition heir = null;
        Standing left = null;
        Acquisition called = null;
        Hold unused = null;
        synchronized (this) {
            boolean wasFirst = waiting.remove(gone);
            if (asking == gone) {
                left = standing;
                heir = waiting.poll();
                asking = heir;
                standing = heir == null ? null : left;
                if (heir != null && left != null) {
                    heir.represents(left);
                }
            } else if (wasFirst && idle) { // it was to take what is idle: the next one, or nobody
                called = waiting.firstToCall(engine.clock.nanoTime());
                unused = called == null ? unusedIdle() : null;
            }
            goIfEmpty();
        }
        if (heir != null && left != null) {
            heir.representLater();
        } else if (left != null) {
            left.bid.withdraw(engine.cleaner, false);
            engine.switchboard.remove(left.bid); // last: one who is about to add it sees that it was withdrawn
        }
        if (called != null) {
            called.comeToGate(this);
        }
        engine.releaser.giveUp(unused);
    }

    /** Guarded by this. An idle hold that nobody waits for: to be given up, unless it is kept for a while. */
    private @Nullable Hold unusedIdle() {
        if (hold == null || !isRetained(hold)) {
            return takeOut();
        }
        armRetention(engine.clock.nanoTime());
        return null;
    }

    /** Guarded by this. */
    private @Nullable Hold takeOut() {
        Hold out = hold;
        hold = null;
        idle = false;
        goIfEmpty();
        return out;
    }

    /** Guarded by this. */
    private void armRetention(long now) {
        if (!retentionArmed && hold != null) {
            retentionArmed = true; // once for many releases: it looks again when it rings
            engine.alarms.set(
                    Alarms.Alarm.of(this::retentionEnds),
                    now + hold.options().retention().toNanos());
        }
    }

    private void retentionEnds() {
        Hold unused = null;
        synchronized (this) {
            retentionArmed = false;
            if (idle && hold != null && waiting.isEmpty()) {
                long now = engine.clock.nanoTime();
                long left = idleSince + hold.options().retention().toNanos() - now;
                if (left <= 0) {
                    unused = takeOut();
                } else {
                    armRetention(now - hold.options().retention().toNanos() + left);
                }
            }
        }
        engine.releaser.giveUp(unused);
    }

    /** Another process wants the lock, or this one ends: what nobody here uses, or is about to, is given up. */
    void giveUpUnused() {
        Hold unused;
        synchronized (this) {
            unused = idle && (waiting.isEmpty() || engine.isClosed()) ? takeOut() : null;
        }
        engine.releaser.giveUp(unused);
    }

    /** A bid came to nothing: the one that asks for all, with another one by now; null when that does not concern it. */
    synchronized @Nullable Acquisition bidAnew(Bid spent) {
        return asking != null && standing != null && standing.bidAnew(asking, spent) ? asking : null;
    }

    /** Redis can't be asked: those who would not go on either end with the one that asked, not one after the other. */
    void failed(Throwable error, long lasted) {
        List<Acquisition> hopeless;
        synchronized (this) {
            hopeless = waiting.removeAll(next -> next.isHopeless(error, lasted));
        }
        hopeless.forEach(acquisition -> acquisition.giveUp(error));
    }

    /** Who has the lock, as far as is known here. */
    synchronized AcquireReply.@Nullable Contended seen() {
        return hold != null ? hold.seen(engine.clock.nanoTime()) : standing == null ? null : standing.busy;
    }

    synchronized @Nullable Throwable failure() {
        return hold != null || standing == null ? null : standing.failure;
    }

    /** Guarded by this. */
    private void goIfEmpty() {
        if (hold == null && asking == null && waiting.isEmpty()) {
            gone = true;
            engine.gates.remove(key, this);
        }
    }
}
