// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which locks each thread holds through {@link java.util.concurrent.locks.Lock}, and how often it has entered them. Kept with
 * the thread: no other thread ever needs it, and nothing is left behind once the last lock is released.
 */
final class ThreadHolds {

    /** One lock held by the current thread. */
    static final class Entry {
        final TokenLease lease;
        int count = 1;

        Entry(TokenLease lease) {
            this.lease = lease;
        }
    }

    @SuppressWarnings("ThreadLocalUsage") // not static: two Holdfasts of a process are two lock spaces
    private final ThreadLocal<@Nullable Map<String, Entry>> ofThread = new ThreadLocal<>();

    @Nullable
    Entry get(String lockKey) {
        Map<String, Entry> entries = ofThread.get();
        return entries == null ? null : entries.get(lockKey);
    }

    void add(String lockKey, TokenLease lease) {
        Map<String, Entry> entries = ofThread.get();
        if (entries == null) {
            entries = new HashMap<>();
            ofThread.set(entries);
        }
        entries.put(lockKey, new Entry(lease));
    }

    void remove(String lockKey) {
        Map<String, Entry> entries = ofThread.get();
        if (entries != null && entries.remove(lockKey) != null && entries.isEmpty()) {
            ofThread.remove();
        }
    }
}
