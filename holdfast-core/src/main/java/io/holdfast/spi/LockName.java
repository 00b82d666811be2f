// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/**
 * The keys of one lock in Redis.
 *
 * <p>The lock key is what other libraries and people see. The companions carry the whole lock key behind a word of their
 * own; a business key that would collide with one all the same is refused. The fence counter is one for the whole name space: a counter per
 * lock would stay behind for every order that ever was.
 *
 * @param key the business key, as the application wrote it
 * @param lockPrefix what stands before it in Redis; empty for exact keys
 * @param companionPrefix what companion keys start with, never empty
 */
public record LockName(String key, String lockPrefix, String companionPrefix) {

    /** The Redis key that holds the lock's value. Not kept: a process may hold a hundred thousand locks. */
    public String lockKey() {
        return lockPrefix.isEmpty() ? key : lockPrefix + key;
    }

    /** The counter that issues fence bases. */
    public String fenceKey() {
        return companionPrefix + ":fence";
    }

    /**
     * What stands in the queue for a token: the letter says what the scripts may do for it.
     *
     * @param whole whether it may be granted, with a fence, for the whole life that its token names
     */
    public String queueEntry(String token, boolean fenced, boolean whole) {
        return (isExact() ? "w" : !fenced ? "u" : whole ? "F" : "f") + token;
    }

    /** Whether other libraries may compete for the same key: such a lock is never passed on, or their polls would starve. */
    public boolean isExact() {
        return lockPrefix.isEmpty();
    }

    /** Sorted set of who waits: entries by time of arrival. */
    public String queueKey() {
        return companionPrefix + ":queue:" + lockKey();
    }

    /** Hash that says which owner id the lock's current value belongs to. */
    public String ownerKey() {
        return companionPrefix + ":owner:" + lockKey();
    }

    /** Sorted set of an owner's holds: token by time of expiry. */
    public String holdsKey() {
        return companionPrefix + ":holds:" + lockKey();
    }

    /** Whether the lock key is, or could be, a companion of some lock: possible with exact keys or an empty segment. */
    public boolean isCompanion() {
        String lockKey = lockKey();
        if (!lockKey.startsWith(companionPrefix + ":")) {
            return false;
        }
        String word = lockKey.substring(companionPrefix.length() + 1);
        return word.equals("fence")
                || word.startsWith("queue:")
                || word.startsWith("owner:")
                || word.startsWith("holds:");
    }
}
