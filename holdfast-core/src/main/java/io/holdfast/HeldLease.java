// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lease somebody in this process holds, at one instant. Re-entries of a thread are one lease; re-entries of an owner are one
 * each, with the same fencing token.
 *
 * @param key the business key
 * @param label the label of its options, or null
 * @param heldFor how long the present holder has had it
 * @param remaining how long it is valid unless it is renewed
 * @param fencingToken empty without fencing
 * @param degraded whether it excludes nobody outside this process
 * @param renewalFailing whether the last renewal did not get through
 */
public record HeldLease(
        String key,
        @Nullable String label,
        Duration heldFor,
        Duration remaining,
        OptionalLong fencingToken,
        boolean degraded,
        boolean renewalFailing) {}
