// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/**
 * Runs a block under a lease and gives the lease back. The block's own exception always wins: whatever happens to the lock
 * meanwhile is attached to it. When the block succeeded, a loss is thrown, because what it did may have run beside others; a
 * release that failed is not (listeners and log have been told), because the block ran protected.
 */
final class LockedBlock {
    private LockedBlock() {}

    static <T, X extends Exception> T run(TokenLease lease, LockedCall<T, X> block) throws X {
        T value;
        try {
            value = block.call();
        } catch (Throwable failure) {
            attachReleaseFailure(lease, failure);
            throw failure;
        }
        boolean kept;
        try {
            kept = lease.release();
        } catch (LockBackendException toldAlready) {
            kept = true;
        }
        if (!kept) {
            throw lost(lease);
        }
        return value;
    }

    private static void attachReleaseFailure(TokenLease lease, Throwable failure) {
        try {
            if (!lease.release()) {
                failure.addSuppressed(lost(lease));
            }
        } catch (LockBackendException e) {
            failure.addSuppressed(e);
        }
    }

    private static LockLostException lost(TokenLease lease) {
        return new LockLostException(lease.key(), lease.lostReason().orElse(LostReason.GONE), lease.heldFor());
    }
}
