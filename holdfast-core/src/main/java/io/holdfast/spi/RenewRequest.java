// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/**
 * One lease of a renewal batch.
 *
 * @param name the lock
 * @param value the value at the lock key (the token when an owner's hold is renewed)
 * @param owner owner id of the hold, or null
 * @param ttlMillis how long the key is to live from now; a longer life it already has is kept
 */
public record RenewRequest(
        LockName name, String value, @Nullable String owner, long ttlMillis) {}
