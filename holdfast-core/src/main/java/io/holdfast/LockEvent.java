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
 * @param waited how much of an acquire was waiting for another holder; zero when there was none
 * @param attempts how often Redis was asked to acquire
 * @param fencingToken token of the lease, empty before there is one or without fencing
 * @param degraded whether it is about a lock inside this process, because Redis was unavailable and the options allow it
 * @param reason why a lease was lost, else null
 * @param cause what went wrong, else null
 */
public record LockEvent(
        String key,
        LockOptions options,
        Duration elapsed,
        Duration waited,
        int attempts,
        OptionalLong fencingToken,
        boolean degraded,
        @Nullable LostReason reason,
        @Nullable Throwable cause) {}
