// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at, and meddles with, the store behind the locks under test, past the client under test. Keys are lock keys. */
public interface Backdoor {

    /** The value at a key, or null. */
    @Nullable
    String get(String lockKey);

    /** Milliseconds to live; -1 without end, -2 when there is no such key. */
    long pttl(String lockKey);

    /** Sets a value, as another library would; {@code ttlMillis} 0 for a key without end. */
    void set(String lockKey, String value, long ttlMillis);

    /** Deletes a key, as an administrator would. */
    void delete(String lockKey);

    /** Every key whose name contains the text, companions included: what has been left behind. */
    Set<String> keysContaining(String text);

    /** Loses all data. */
    void flush();

    /** Whether a key exists. */
    default boolean exists(String lockKey) {
        return pttl(lockKey) != -2;
    }
}
