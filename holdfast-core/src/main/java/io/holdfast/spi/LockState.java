// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Redis knows of one lock at one instant.
 *
 * @param held whether the lock key exists
 * @param value its value, or null when it does not exist or is not a string
 * @param ttlMillis how long it still lives, -1 for ever, -2 when it does not exist
 * @param owner owner id of the holder, or null
 * @param holds how many holds the owner has, 0 without an owner
 * @param waiting tokens of those who wait, first come first
 */
public record LockState(
        boolean held,
        @Nullable String value,
        long ttlMillis,
        @Nullable String owner,
        int holds,
        List<String> waiting) {}
