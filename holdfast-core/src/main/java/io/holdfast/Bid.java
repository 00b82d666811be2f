// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One token, and what may have become of its tries. A try without an answer may have taken the lock, or may yet take it:
 * trying again with the same token finds that grant, and withdrawing the token undoes it. A token is never used again after
 * it was withdrawn. Thread-safe.
 *
 * <p>Several threads may send tries of one bid, one after the other, when they take turns in standing for their process; a
 * grant is {@linkplain #claim claimed} by one answer only, however many bring it.
 *
 * <p>Every lease keeps its bid, so what a field takes here, and in {@link Hold} and {@link TokenLease}, it takes a hundred
 * thousand times in a process that holds as many.
 */
final class Bid extends TokenId {
    final LockBackend backend;
    final LockName name;
    final LockOptions options;
    private final Tokens tokens;
    /** The stretch of listening this bid began in: unless it still lasts, word that the lock is wanted may have been missed. */
    final long listening;

    private static final AtomicIntegerFieldUpdater<Bid> TURNS =
            AtomicIntegerFieldUpdater.newUpdater(Bid.class, "turns");
    /** The turn each holder in this process takes on the same grant. */
    private volatile int turns;

    /** Who acts on word for this token: the acquisition that waits, and later the gate that holds. */
    volatile @Nullable Acquisition asker;

    volatile @Nullable Hold hold;
    /** Word came that it is granted. */
    private volatile boolean called;
    /** The stretch of listening in which it took its place in the queue; 0 when it has none, for all we know. */
    private volatile long queuedIn;

    /** Sticky until the lock is released to Redis: those who want it do not say so twice. */
    private volatile @Nullable Wanted wanted;

    // Guarded by this.
    private List<CompletableFuture<?>> unanswered = List.of();
    private int tries;
    /** Of a bid in the queue that has tried once: what word alone can prove. */
    private @Nullable FirstTry firstTry;

    private int sending; // by how many threads: one that has gone meanwhile may still be at it
    private boolean listed;
    private boolean claimed;
    private boolean reopened;
    /** The hold it won is over, or about to be; a try of somebody who has gone meanwhile may still have been under way. */
    private volatile boolean spent;

    /** A try may have taken the lock anew: it was under way when the bid was spent, or answered after another had won. */
    private boolean late;
    /** Read without. */
    private volatile boolean withdrawn;

    /** Others want the lock: since when, and how many turns were taken on the grant by then. */
    private record Wanted(long since, int turns) {}

    /** Before it was sent the lock can't have become this bid's. */
    private static final class FirstTry {
        private final long sentAt;
        private AcquireReply.@Nullable Granted handedOver;

        FirstTry(long sentAt) {
            this.sentAt = sentAt;
        }
    }

    /**
     * A grant that word has brought.
     *
     * @param sentAt from when on it is valid
     */
    record HandedOver(AcquireReply.Granted grant, long sentAt) {}

    Bid(LockBackend backend, LockName name, LockOptions options, Tokens tokens) {
        super(tokens.nextId());
        this.backend = backend;
        this.name = name;
        this.options = options;
        this.tokens = tokens;
        this.listening = backend.listening();
    }

    /** What it calls itself in Redis. */
    String token() {
        return tokens.text(this, options.terms().keyLifeMillis(options.maxTtl()));
    }

    /**
     * Sends one try. The result is the backend's own stage: it completes also when nobody waits for it any more.
     *
     * @param sentAt an instant before that
     */
    CompletableFuture<AcquireReply> send(long fenceFloor, boolean waits, long sentAt) {
        AcquireRequest request;
        synchronized (this) {
            if (isOver()) { // it waited for a thread meanwhile; sent now, nobody would undo it
                return CompletableFuture.failedFuture(
                        RedisConnectionException.notSent("the acquire was over before it was sent", null));
            }
            sending++;
            request = nextTry(fenceFloor, waits, sentAt);
        }
        long askedIn = waits ? backend.listening() : 0;
        CompletableFuture<AcquireReply> reply = backend.acquire(request).toCompletableFuture();
        Futures.onDone(reply, (answer, failed) -> learn(answer, askedIn));
        synchronized (this) {
            sending--;
            addUnanswered(reply);
        }
        return reply;
    }

    private void learn(@Nullable AcquireReply answer, long askedIn) {
        long stoodSince = queuedIn;
        queuedIn = answer instanceof AcquireReply.Contended busy && busy.queued() ? askedIn : 0;
        if (answer instanceof AcquireReply.Granted granted && granted.told() && stoodSince != 0 && !called) {
            backend.missed(stoodSince, () -> called);
        }
    }

    /** A release put it into the queue. */
    void stands() {
        queuedIn = listening;
    }

    /** Word came, with a grant if the lock was handed over for good; whether it came too late for anybody to act on it. */
    synchronized boolean called(AcquireReply.@Nullable Granted grant) {
        called = true;
        if (firstTry != null) {
            firstTry.handedOver = grant;
        }
        return isOver();
    }

    /**
     * Claims what word has brought, if that is all an answer could: the lock became this bid's after its only try was sent, and for
     * the whole TTL from then on. It is not known how old the word is; what is left of that time decides. Null when it takes an
     * answer: also after a second try, since nobody can tell whether the word was about the time before or after that.
     */
    synchronized @Nullable HandedOver claimByWord(long now) {
        FirstTry only = firstTry;
        if (only == null || only.handedOver == null || !Hold.wouldBeFresh(options, now - only.sentAt)) {
            return null;
        }
        return claim() ? new HandedOver(only.handedOver, only.sentAt) : null;
    }

    /**
     * The next try, for a release to make in the same breath: until the outcome of that is known, the bid may be granted. Null
     * when it has been, or was withdrawn: nobody would undo that grant.
     */
    synchronized @Nullable AcquireRequest tryWith(CompletableFuture<?> release, long fenceFloor, long sentAt) {
        if (isOver() || claimed) {
            return null;
        }
        addUnanswered(release);
        return nextTry(fenceFloor, true, sentAt);
    }

    synchronized boolean isUntried() {
        return tries == 0 && !isOver();
    }

    /** Guarded by this. */
    private AcquireRequest nextTry(long fenceFloor, boolean waits, long sentAt) {
        tries++;
        firstTry = tries == 1 && waits ? new FirstTry(sentAt) : null;
        listed |= waits; // also the last try, or the grant would leave its entry in the queue
        return request(fenceFloor, tries, listed);
    }

    private AcquireRequest request(long fenceFloor, int attempt, boolean waits) {
        return new AcquireRequest(
                name,
                token(),
                options.terms().keyLifeMillis(options.ttl()),
                fenceFloor,
                options.owner().orElse(null),
                attempt,
                waits,
                options.fair());
    }

    /** Guarded by this. */
    private void addUnanswered(CompletableFuture<?> reply) {
        List<CompletableFuture<?>> more = new ArrayList<>(unanswered);
        more.add(reply);
        unanswered = more;
    }

    /** The outcome of this try is known. */
    @SuppressWarnings("ReferenceEquality") // this very try
    synchronized void settled(CompletableFuture<?> reply) {
        List<CompletableFuture<?>> others = new ArrayList<>();
        for (CompletableFuture<?> other : unanswered) {
            if (other != reply) {
                others.add(other);
            }
        }
        unanswered = List.copyOf(others); // none of its own as a rule: a held lease keeps its bid
    }

    /** True for the first answer that brings the grant. */
    synchronized boolean claim() {
        boolean first = !claimed && !withdrawn;
        late |= claimed; // a grant once more: it may have been taken anew, after the first had ended
        claimed = true;
        firstTry = null;
        return first;
    }

    /** Whether no try of it will be sent any more. */
    boolean isOver() {
        return withdrawn || spent;
    }

    /** Whether its caller has left, or was served by another's grant. */
    boolean isWithdrawn() {
        return withdrawn;
    }

    /** The hold it won is over for this process though not for Redis: the grant is to be asked for, and claimed, once more. */
    synchronized void reopen() {
        claimed = false;
        reopened = true;
    }

    /** The number of the next holder's turn; the first is 0. */
    int nextTurn() {
        return TURNS.getAndIncrement(this);
    }

    boolean hasTurnsLeft() {
        return turns <= Fence.LAST_TURN;
    }

    void want(long now) {
        if (wanted == null) {
            wanted = new Wanted(now, turns);
        }
    }

    boolean isWanted() {
        return wanted != null;
    }

    /** Whether somebody in another process may stand in the queue without our knowing it. */
    boolean mayBeWanted() {
        return wanted != null || listening == 0 || listening != backend.listening();
    }

    /** Whether this process has had the lock long enough, given that others want it. */
    boolean isDueToOthers(long now) {
        Wanted first = wanted;
        return first != null
                && (turns - first.turns >= options.handOverTurns()
                        || now - first.since >= options.handOverTime().toNanos());
    }

    /**
     * Takes the token off the server: again and again while a try may still be under way; otherwise until it has been done
     * once, if there is anything to take off.
     *
     * @param granted whether a try is known to have taken the lock
     */
    void withdraw(Cleaner cleaner, boolean granted) {
        List<CompletableFuture<?>> open;
        boolean ambiguous;
        boolean known;
        synchronized (this) { // in one step: a grant that is answered in between would be nobody's to undo
            withdrawn = true;
            open = List.copyOf(unanswered);
            ambiguous = sending > 0 || !open.isEmpty();
            known = listed || reopened || granted;
        }
        if (ambiguous) {
            cleaner.abandon(target(), open);
        } else if (known) {
            cleaner.leave(target());
        }
    }

    /**
     * Its caller is to be served by another's grant: no try will be sent any more, and all that is left of it is its place in the
     * queue. False, and nothing happens, when a try is under way, or its own grant is there or on its way.
     */
    synchronized boolean setAside() {
        boolean idle = sending == 0 && unanswered.isEmpty() && !claimed && !called && !withdrawn && asker != null;
        withdrawn |= idle;
        return idle;
    }

    /** What stands in the queue for it. */
    String queueEntry() {
        return request(options.fencing() ? 0 : -1, 1, true).queueEntry();
    }

    /** The hold it won is about to be released, or lost: from now on no try may be sent. */
    synchronized void spend() {
        spent = true;
        late |= sending > 0 || !unanswered.isEmpty();
    }

    /** After the lease this bid won is over: a try that was still under way must not take the lock for nobody. */
    void close(Cleaner cleaner) {
        List<CompletableFuture<?>> open;
        boolean ambiguous;
        boolean wasLate;
        synchronized (this) {
            open = List.copyOf(unanswered);
            ambiguous = sending > 0 || !open.isEmpty();
            wasLate = late;
        }
        if (ambiguous) {
            cleaner.abandon(target(), open);
        } else if (wasLate) {
            cleaner.leave(target());
        }
    }

    Cleaner.Target target() {
        return new Cleaner.Target(backend, name, token(), options);
    }
}
