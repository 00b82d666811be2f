// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A caller in this process that is acquiring a lock, at one instant.
 *
 * @param key the business key
 * @param label the label of its options, or null
 * @param waitingFor since when
 */
public record WaitingAcquire(String key, @Nullable String label, Duration waitingFor) {}
