// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.Signals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those of this process that stand right behind the holder of a fair lock: with nobody else's place between theirs, the lock
 * passes from one to the next without a command, and nobody is overtaken.
 *
 * <p><b>Safety.</b> As at a {@link Gate}: a lease is over before the next one begins, each has a turn and so a fencing token of
 * its own, and a lost hold is not passed on. A hold that is nearer to its end than the next one asked for goes to Redis. So
 * does one whose next was granted the lock, or told so: this grant must be over then, though nobody has noticed.
 *
 * <p><b>Liveness.</b> Everybody keeps its place in Redis until the lock is released there. So the succession may end at any
 * point, or the process may: whoever was not served is next in the queue. What the served ones left in it goes with that
 * release, or is cleaned up where there is none; until then it can only earn a word that nobody waits for, which
 * passes the lock on.
 */
final class Succession {
    private final Engine engine;
    private final Hold hold;
    private final Convoys.Convoy convoy;

    // Guarded by this.
    private final Deque<TokenId> next = new ArrayDeque<>(1);
    private List<Bid> served = List.of();

    private Succession(Engine engine, Hold hold) {
        this.engine = engine;
        this.hold = hold;
        this.convoy = engine.convoys.begin(hold);
    }

    /** Null for a lock that is not passed on: an exact key, which other libraries want too, an owner's, one without Redis. */
    static @Nullable Succession of(Engine engine, Hold hold, String idsBehind) {
        LockOptions options = hold.options();
        if (!options.fair() || options.owner().isPresent() || hold.name().isExact() || engine.isLocal(hold.backend())) {
            return null;
        }
        Succession made = new Succession(engine, hold);
        for (int at = 0; at + Signals.ID_LENGTH <= idsBehind.length(); at += Signals.ID_LENGTH) {
            TokenId id = TokenId.ofWord(idsBehind.substring(at, at + Signals.ID_LENGTH));
            if (id != null) {
                made.next.add(id);
            }
        }
        return made;
    }

    /** The lease on the hold is over; true when the next one has it. */
    boolean passOn() {
        Bid heir;
        while ((heir = nextHeir()) != null) {
            Acquisition asker = heir.asker;
            hold.idle();
            boolean received = asker != null && asker.receive(hold, engine.clock.nanoTime());
            heir.asker = null; // what is left of it is a place in the queue
            if (received) {
                return true;
            }
        }
        return false;
    }

    /** The next that still waits, and will not ask any more. Null ends the succession: the lock goes to Redis. */
    private synchronized @Nullable Bid nextHeir() {
        boolean goesOn = hold.isFresh(engine.clock.nanoTime()) && hold.bid.hasTurnsLeft() && !engine.isClosed();
        while (goesOn && !next.isEmpty()) {
            Bid bid = engine.switchboard.find(next.remove());
            if (bid != null) { // otherwise it left, and is off the queue or soon will be
                goesOn = isOnSameTerms(bid.options) && bid.setAside();
                if (goesOn) {
                    served = served.isEmpty() ? new ArrayList<>() : served;
                    served.add(bid);
                    return bid;
                }
            }
        }
        return null;
    }

    /** Whether a lease for that one would be no other than one on this hold. It may also wait at a gate, or for an owner. */
    private boolean isOnSameTerms(LockOptions options) {
        return options.fair()
                && options.owner().isEmpty()
                && options.terms().equals(hold.options().terms());
    }

    /** Those whose places go with the release. Until then word for them finds that they have gone. */
    synchronized List<Bid> served() {
        List<Bid> all = served;
        served = List.of();
        all.forEach(engine.switchboard::remove);
        return all;
    }

    /** The lock goes to Redis: who goes with it. */
    GivenBack toRedis() {
        return new GivenBack(false, convoy.release(hold, engine.clock.nanoTime()));
    }

    /** There is no release that would take their places off, or others along. */
    void leave() {
        toRedis().askAfresh();
        served().forEach(bid -> engine.cleaner.leave(bid.target()));
    }
}
