// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

/**
 * What was still there two leases after everybody had ended, as counted on the server and in the processes.
 *
 * @param keys keys of locks
 * @param queueEntries places in their queues
 * @param channels subscriptions
 * @param threads threads of the library
 */
public record Leftovers(long keys, long queueEntries, long channels, long threads) {
    /** Nothing, or nobody looked. */
    public static final Leftovers NONE = new Leftovers(0, 0, 0, 0);

    /** Whether that is nothing. */
    public boolean isEmpty() {
        return equals(NONE);
    }
}
