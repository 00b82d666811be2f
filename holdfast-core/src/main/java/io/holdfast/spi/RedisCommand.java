// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.List;

/**
 * One command as it goes over the wire: its words, and which of them is the key that routes it in a Cluster.
 *
 * @param words the command and its arguments, e.g. {@code ["SET", "lock:a", "x", "NX"]}
 * @param keyIndex index of the routing key in {@code words}, or 0 when the command has none
 */
public record RedisCommand(List<String> words, int keyIndex) {

    /** A command whose first argument is its key. */
    public static RedisCommand keyed(String... words) {
        return new RedisCommand(List.of(words), 1);
    }

    /** A command without a key, such as {@code PING}. */
    public static RedisCommand keyless(String... words) {
        return new RedisCommand(List.of(words), 0);
    }

    /** The command word, e.g. {@code EVALSHA}. */
    public String name() {
        return words.get(0);
    }

    /** Never the arguments: they hold tokens and, for {@code AUTH}, passwords. */
    @Override
    public String toString() {
        return name();
    }
}
