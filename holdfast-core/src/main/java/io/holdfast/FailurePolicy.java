// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/**
 * What an acquire does when Redis is unavailable (unreachable, silent, loading, read-only …). A busy lock, bad
 * credentials or missing permissions are never degraded. A degraded lease says so, has no fencing token, and is reported
 * to listeners and logs.
 *
 * <p>An acquire that may try again insists on Redis for one command timeout, then the policy applies; {@link #LOCAL} spends
 * what remains of the wait on the other threads of the process.
 */
public enum FailurePolicy {
    /** Throw {@link LockBackendException}: the safe default. */
    FAIL,
    /** Fall back to a lock inside this process: excludes its own threads, nobody else. */
    LOCAL,
    /** Go on without any lock. */
    PROCEED
}
