// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Brings word from other processes to whom it concerns: a waiter whose turn it is, a holder whose lock is wanted. Thread-safe.
 *
 * <p>A holder that knows of nobody who waits deletes its lock without looking at the queue. Somebody may have joined it just
 * before: that word reaches a holder that is one no more, and has the queue served. Hence the memory of releases; it is a short
 * one, and word that comes later than that costs the waiter a poll.
 */
final class Switchboard implements Signals {
    private static final int REMEMBERED = 2048;

    private final Engine engine;
    private final ConcurrentMap<TokenId, Bid> bids = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Released> released = new AtomicReferenceArray<>(REMEMBERED);
    private final AtomicInteger releases = new AtomicInteger();

    /** A lock deleted, or about to be, without a look at the queue. */
    final class Released {
        private final Bid bid;
        // Guarded by this.
        private boolean done;
        private boolean wanted;

        Released(Bid bid) {
            this.bid = bid;
        }

        /** The release has been answered, or will not be. */
        void done() {
            synchronized (this) {
                done = true;
                if (!wanted) {
                    return;
                }
            }
            serve(bid);
        }

        /** Served before the lock is deleted, the queue would be served in vain. */
        private void want() {
            synchronized (this) {
                if (wanted || !done) {
                    wanted = true;
                    return;
                }
                wanted = true;
            }
            serve(bid);
        }
    }

    Switchboard(Engine engine) {
        this.engine = engine;
    }

    /** From now on word for this bid finds it. */
    void add(Bid bid) {
        bids.put(bid, bid);
        if (bid.isOver()) { // by a caller that left, or released, in this very moment, and found nothing here to remove
            remove(bid);
        }
    }

    @Nullable
    Bid find(TokenId id) {
        return bids.get(id);
    }

    void remove(Bid bid) {
        bids.remove(bid);
    }

    /** The lock is about to be deleted without a look at the queue: word for it is kept until that is done. */
    Released releasedUnseen(Bid bid) {
        Released entry = new Released(bid);
        released.set(Math.floorMod(releases.getAndIncrement(), REMEMBERED), entry);
        remove(bid);
        if (bid.isWanted()) { // in this very moment
            entry.want();
        }
        return entry;
    }

    int size() {
        return bids.size();
    }

    @Override
    public void granted(String word) {
        called(word, null);
    }

    @Override
    public void handedOver(String word, AcquireReply.Granted grant) {
        called(word, grant);
    }

    private void called(String word, AcquireReply.@Nullable Granted grant) {
        TokenId id = TokenId.ofWord(word);
        Bid bid = id == null ? null : bids.get(id);
        if (bid == null) {
            engine.cleaner.passedOn(word); // to one who has left, and could not say so yet
            return;
        }
        if (bid.called(
                grant)) { // its caller was served by another's grant, or is just leaving: nobody is to wait for it
            engine.cleaner.leave(bid.target());
        }
        Acquisition asker = bid.asker;
        if (asker != null) {
            asker.pause.wake();
        }
    }

    @Override
    public void wanted(String word) {
        TokenId id = TokenId.ofWord(word);
        if (id == null) {
            return;
        }
        Bid bid = bids.get(id);
        if (bid != null) {
            bid.want(engine.clock.nanoTime());
            Hold hold = bid.hold;
            Gate gate = hold == null ? null : hold.gate;
            if (gate != null) {
                gate.giveUpUnused();
            }
            if (bids.containsKey(id)) {
                return;
            } // else it was released in this very moment, maybe too soon to see that it is wanted
        }
        lastReleased(id).forEach(Released::want);
    }

    private List<Released> lastReleased(TokenId id) {
        List<Released> found = new ArrayList<>(1);
        for (int i = 0; i < REMEMBERED; i++) {
            Released last = released.get(i);
            if (last != null && last.bid.equals(id)) {
                found.add(last);
            }
        }
        return found;
    }

    private void serve(Bid bid) {
        engine.sender(bid.backend)
                .execute(() ->
                        Futures.onDone(bid.backend.serve(bid.name).toCompletableFuture(), (served, failed) -> {}));
    }

    @Override
    public void interrupted() {
        engine.cleaner.hurry();
        bids.values().forEach(bid -> {
            Acquisition asker = bid.asker;
            if (asker != null) {
                asker.pause.wake();
            }
        });
    }
}
