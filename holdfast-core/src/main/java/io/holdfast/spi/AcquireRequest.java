// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/**
 * One try to take a lock. Trying again with the same token is safe: it finds its own grant.
 *
 * @param name the lock
 * @param token the token of this acquisition, unique and unguessable
 * @param ttlMillis how long the key is to live
 * @param fenceFloor the highest fence base this process has seen, or -1 for a lock without fencing
 * @param owner owner id that may re-enter, or null
 * @param attempt 1 for the first try of this token; later ones must first look for a grant of their own
 * @param waits whether the caller waits for its turn, and so is to stand in the queue
 * @param fair whether a free lock goes to the first in the queue
 */
public record AcquireRequest(
        LockName name,
        String token,
        long ttlMillis,
        long fenceFloor,
        @Nullable String owner,
        int attempt,
        boolean waits,
        boolean fair) {

    /** Whether the grant is to carry a fencing token. */
    public boolean fenced() {
        return fenceFloor >= 0;
    }

    /** What stands in the queue for this try. An owner's holds are written by its own acquire only, so that has to confirm. */
    public String queueEntry() {
        boolean whole = owner == null && token.startsWith("." + ttlMillis + "~", Signals.ID_LENGTH);
        return name.queueEntry(token, fenced(), whole);
    }
}
