// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

/** What {@link InMemoryLocks} can make fail or hang on its own. */
public enum Verb {
    /** Taking a lock. */
    ACQUIRE,
    /** Extending leases, by the engine or by hand. */
    RENEW,
    /** Giving a lock back, and cleaning up after acquires nobody waits for. */
    RELEASE,
    /** Looking. */
    INSPECT
}
