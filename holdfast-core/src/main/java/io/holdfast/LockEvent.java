// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to one lock.
 *
 * @param key the business key
 * @param options the options of the lock; their label is what metrics may use as a tag
 * @param elapsed how long it took (acquire) or how long the lease was held (everything later)
 * @param attempts how often Redis was asked to acquire
 * @param fencingToken token of the lease, empty before there is one or without fencing
 * @param reason why a lease was lost, else null
 * @param cause what went wrong, else null
 */
public record LockEvent(
        String key,
        LockOptions options,
        Duration elapsed,
        int attempts,
        OptionalLong fencingToken,
        @Nullable LostReason reason,
        @Nullable Throwable cause) {}
