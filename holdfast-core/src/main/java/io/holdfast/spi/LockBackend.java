// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The verbs of a lock store. Thread-safe. Every verb is idempotent by token: the engine repeats it whenever a reply was
 * lost. Failures come as {@link RedisReplyException} (not carried out) or {@link RedisConnectionException}.
 */
public interface LockBackend extends AutoCloseable {

    /** Takes a free lock, or finds the grant this token already has. */
    CompletionStage<AcquireReply> acquire(AcquireRequest request);

    /** Extends leases, each on its own: one bad key never harms the others. One reply for each request, in order. */
    CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch);

    /** Gives a lock back; false when it was not there any more. Never touches another's lock. */
    CompletionStage<Boolean> release(ReleaseRequest request);

    /** Forgets an acquisition: removes it from those who wait and, should it have been granted meanwhile, frees it. */
    CompletionStage<Boolean> abandon(LockName name, String token, boolean owned);

    /** Looks, without changing anything. */
    CompletionStage<LockState> inspect(LockName name);

    /** True when the verbs do their I/O on the calling thread. */
    boolean blocking();

    /** How long one verb may take before it counts as unanswered. */
    Duration commandTimeout();

    /** What this talks to, without credentials. */
    String endpoint();

    @Override
    void close();
}
