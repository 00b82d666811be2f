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

/**
 * One token, and what may have become of its tries. A try without an answer may have taken the lock, or may yet take it:
 * trying again with the same token finds that grant, and withdrawing the token undoes it. A token is never used again after
 * it was withdrawn. Thread-safe.
 */
final class Bid {
    final LockBackend backend;
    final LockName name;
    final LockOptions options;
    final String token;

    // Guarded by this.
    private final List<CompletableFuture<AcquireReply>> unanswered = new ArrayList<>(1);
    private int tries;
    private boolean sending;
    private boolean listed;
    private boolean withdrawn;

    Bid(LockBackend backend, LockName name, LockOptions options, Tokens tokens) {
        this.backend = backend;
        this.name = name;
        this.options = options;
        this.token = tokens.next(options.keyLifeMillis(options.maxTtl()));
    }

    /** Sends one try. The result is the backend's own stage: it completes also when nobody waits for it any more. */
    CompletableFuture<AcquireReply> send(long fenceFloor, boolean waits) {
        AcquireRequest request;
        synchronized (this) {
            if (withdrawn) { // it waited for a thread meanwhile; sent now, nobody would undo it
                return CompletableFuture.failedFuture(
                        RedisConnectionException.notSent("the acquire was over before it was sent", null));
            }
            tries++;
            sending = true;
            listed |= waits;
            request = new AcquireRequest(
                    name,
                    token,
                    options.keyLifeMillis(options.ttl()),
                    fenceFloor,
                    options.owner().orElse(null),
                    tries,
                    listed); // also the last try, or the grant would leave its entry in the queue
        }
        CompletableFuture<AcquireReply> reply = backend.acquire(request).toCompletableFuture();
        synchronized (this) {
            sending = false;
            unanswered.add(reply);
        }
        return reply;
    }

    /** The outcome of this try is known. */
    @SuppressWarnings("ReferenceEquality") // this very try
    synchronized void settled(CompletableFuture<AcquireReply> reply) {
        unanswered.removeIf(other -> other == reply);
    }

    /**
     * Takes the token off the server: again and again while a try may still be under way; otherwise until it has been done
     * once, if there is anything to take off.
     *
     * @param granted whether a try is known to have taken the lock
     */
    void withdraw(Cleaner cleaner, boolean granted) {
        List<CompletableFuture<AcquireReply>> open;
        boolean ambiguous;
        boolean known;
        synchronized (this) {
            withdrawn = true;
            open = List.copyOf(unanswered);
            ambiguous = sending || !open.isEmpty();
            known = listed || granted;
        }
        if (ambiguous) {
            cleaner.abandon(target(), open);
        } else if (known) {
            cleaner.leave(target());
        }
    }

    /** After the lease this bid won is over: a copy of a try that is still under way must not take the lock for nobody. */
    void close(Cleaner cleaner) {
        List<CompletableFuture<AcquireReply>> open;
        synchronized (this) {
            open = List.copyOf(unanswered);
        }
        if (!open.isEmpty()) {
            cleaner.abandon(target(), open);
        }
    }

    Cleaner.Target target() {
        return new Cleaner.Target(backend, name, token, options);
    }
}
