// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Give a lock back.
 *
 * @param name the lock
 * @param token the token of the acquisition
 * @param value the value the lock key has if the lease is still there
 * @param owner owner id of the hold, or null
 * @param counted with an owner: true frees the lock only with the owner's last hold, false with the first release
 * @param wanted whether somebody may be in the queue, so that the lock is to be passed on
 * @param again a try of the same process, to stand in the queue in the same breath, or null; only with {@code wanted}
 * @param fair whether whoever has it next is to learn who of its process comes right behind it
 * @param behind entries of those of the same process that stand right behind {@code again}; only with that
 * @param served entries in the queue of those who had their turn on this grant: they go; only with {@code wanted}
 */
public record ReleaseRequest(
        LockName name,
        String token,
        String value,
        @Nullable String owner,
        boolean counted,
        boolean wanted,
        @Nullable AcquireRequest again,
        boolean fair,
        List<String> behind,
        List<String> served) {}
