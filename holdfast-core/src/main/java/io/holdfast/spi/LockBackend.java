// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * The verbs of a lock store; what has an answer here has that of a store inside the process. Thread-safe. Every verb is idempotent by token: the engine repeats it whenever a reply was
 * lost. Failures come as {@link RedisReplyException} (not carried out) or {@link RedisConnectionException}.
 */
public interface LockBackend extends AutoCloseable {

    /** Takes a free lock, or finds the grant this token already has. */
    CompletionStage<AcquireReply> acquire(AcquireRequest request);

    /** Extends leases, each on its own: one bad key never harms the others. One reply for each request, in order. */
    CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch);

    /** Gives a lock back, to the first in the queue where somebody may wait. Never touches another's lock. */
    CompletionStage<ReleaseReply> release(ReleaseRequest request);

    /** Forgets an acquisition: removes it from the queue and, should it have been granted meanwhile, passes the lock on. */
    CompletionStage<Boolean> abandon(LockName name, String token, boolean owned);

    /**
     * Ends the grant of that value, whoever's it is: at once, passing the lock on, and with it all holds of its owner; or lets it
     * end by itself after that many milliseconds, unless it would end sooner. False when it is not there, or not any more.
     */
    CompletionStage<Boolean> end(LockName name, String value, long afterMillis);

    /** Passes a free lock on to the first in the queue, for whom nobody did so when it became free. */
    CompletionStage<?> serve(LockName name);

    /**
     * Starts to listen for word from other processes, the first time it is called. Returns at once.
     *
     * @param instance whose word: the last 12 characters of the id of each of its tokens
     */
    void listen(String instance, Signals signals);

    /**
     * Which stretch of uninterrupted listening this is: a number that changes whenever word may have been missed; 0 while
     * nothing is heard. Nobody joins a queue while it is 0.
     */
    long listening();

    /**
     * Word must have been sent in that stretch of listening, and was not heard: if it does not come now either, more may be
     * lost.
     *
     * @param heard whether it has come meanwhile
     */
    default void missed(long listening, BooleanSupplier heard) {}

    /** Listens on the calling thread for a moment, where that is of use, until that word is heard ({@link Subscription#listenFor}). */
    default void listenFor(BooleanSupplier heard) {}

    /** Hears what word has come in by now, if that is left to callers ({@link Subscription#glance}). */
    default boolean glance() {
        return false;
    }

    /** Looks, without changing anything. */
    CompletionStage<LockState> inspect(LockName name);

    /** True when the verbs do their I/O on the calling thread. */
    default boolean blocking() {
        return false;
    }

    /** How a thread looks for the answer to a verb before it sleeps for it. */
    default Lookout lookout() {
        return Lookout.none();
    }

    /** How long one verb may take before it counts as unanswered. */
    default Duration commandTimeout() {
        return RedisAddress.DEFAULT_TIMEOUT;
    }

    /** What this talks to, without credentials. */
    String endpoint();

    @Override
    default void close() {}
}
