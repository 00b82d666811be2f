// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.ReleaseReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One release on its way to Redis, and those of this process who go into the queue with it.
 *
 * <p><b>Liveness.</b> These do not depend on its answer: word of their turn may come before that, and a moment later they ask by
 * themselves. One who leaves meanwhile may be put into the queue by this release all the same, long after its own clean-up has
 * ended: it is taken off once more when the release is over.
 */
final class Release {
    private static final long MOMENT = Duration.ofMillis(100).toNanos();

    private final Engine engine;
    final TokenLease lease;
    private final Hold hold;
    private final GivenBack back;
    /** For whom it asks, in the order of the queue. */
    private final Map<GivenBack.Place, AcquireRequest> joining;

    private final List<Bid> served;
    private final boolean wanted;
    private final Switchboard.@Nullable Released unseen;
    /** For the bids that are to stand in the queue: fails when a copy of this release may yet put them there. */
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();

    private long sentAt;
    private int attempt;
    private List<GivenBack.Place> asked = List.of(); // by that attempt
    private @Nullable CompletableFuture<ReleaseReply> first;
    private @Nullable Throwable lostCopy;

    Release(Engine engine, TokenLease lease, GivenBack back) {
        this.engine = engine;
        this.lease = lease;
        this.hold = lease.hold();
        this.back = back;
        this.joining = back.places().isEmpty() ? Map.of() : new LinkedHashMap<>();
        for (GivenBack.Place place : back.places()) {
            AcquireRequest again = place.isInQueue() ? tryFor(place.bid()) : null;
            if (again != null) {
                joining.put(place, again);
            }
            place.waitsForRelease(engine.clock.nanoTime() + MOMENT);
        }
        Succession succession = hold.succession;
        this.served = succession == null ? List.of() : succession.served();
        this.wanted = hold.bid.mayBeWanted() || !joining.isEmpty() || !served.isEmpty();
        if (wanted) {
            engine.switchboard.remove(hold.bid);
            unseen = null;
        } else {
            unseen = engine.switchboard.releasedUnseen(hold.bid);
        }
    }

    private @Nullable AcquireRequest tryFor(Bid next) {
        engine.switchboard.add(next); // first: word may be faster than the answer
        return next.tryWith(outcome, engine.fenceFloor(hold.options(), hold.backend()), engine.clock.nanoTime());
    }

    boolean isFirst() {
        return attempt == 1;
    }

    CompletableFuture<ReleaseReply> send() {
        attempt++;
        sentAt = engine.clock.nanoTime();
        CompletionStage<ReleaseReply> reply = hold.backend().release(hold.release(wanted, company(), served));
        first = first == null ? reply.toCompletableFuture() : first;
        return engine.alarms.within(reply, hold.backend().commandTimeout().toNanos(), "release");
    }

    /** The tries this attempt makes for others. */
    private List<AcquireRequest> company() {
        if (joining.isEmpty()) { // as a rule: a stream would take longer than the rest of it
            return List.of();
        }
        asked = joining.keySet().stream()
                .filter(place -> !place.bid().isOver()) // a token is not used any more once its caller has left
                .toList();
        return asked.stream().map(joining::get).toList();
    }

    void unanswered(Throwable error) {
        if (BackendErrors.isAmbiguous(error)) {
            lostCopy = error;
        }
    }

    /** For a second one that found nothing: the first one's answer may be there by now. */
    boolean firstMayHaveFreed() {
        return attempt > 1
                && first != null
                && first.handle((reply, failed) -> reply != null
                                ? reply.released()
                                : BackendErrors.isAmbiguous(BackendErrors.unwrap(failed)))
                        .getNow(true);
    }

    /** Nothing has taken those off the queue who had their turn; first of all, or the lock is passed on to one of them. */
    void failed() {
        served.forEach(bid -> engine.cleaner.leave(bid.target()));
    }

    /** There will be no further copy of it. */
    void done() {
        if (unseen != null) {
            unseen.done();
        }
        if (lostCopy != null) {
            outcome.completeExceptionally(lostCopy);
        } else {
            outcome.complete(true);
        }
        for (GivenBack.Place place : joining.keySet()) {
            Bid bid = place.bid();
            if (lostCopy == null) {
                bid.settled(outcome);
            }
            if (bid.isWithdrawn() && lostCopy == null) {
                engine.cleaner.leave(bid.target());
            } else if (bid.isWithdrawn()) {
                engine.cleaner.abandon(bid.target(), List.of());
            }
        }
    }

    /** Those who asked with it; the first of them may have the lock. */
    void goOn(ReleaseReply reply) {
        AcquireReply.Granted granted = reply.again();
        for (GivenBack.Place place : back.places()) {
            if (!asked.contains(place)) {
                askAfresh(place);
            } else {
                place.goOn(granted, sentAt, reply.listed(), engine.cleaner);
                granted = null;
            }
        }
    }

    void askAfresh() {
        back.places().forEach(Release::askAfresh);
    }

    private static void askAfresh(GivenBack.Place place) {
        if (place.next().pause.stop()) { // otherwise it asks already
            place.askAfresh();
        }
    }
}
