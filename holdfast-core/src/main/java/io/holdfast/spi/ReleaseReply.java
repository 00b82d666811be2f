// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/**
 * What became of a release.
 *
 * @param released whether the lock was still there to be given back
 * @param again the grant of {@link ReleaseRequest#again}, when nobody else was in the queue; null otherwise
 * @param listed false when {@link ReleaseRequest#again} and those behind it are not in the queue, for want of memory
 */
public record ReleaseReply(boolean released, AcquireReply.@Nullable Granted again, boolean listed) {

    /** Nothing kept anybody out of the queue. */
    public ReleaseReply(boolean released, AcquireReply.@Nullable Granted again) {
        this(released, again, true);
    }
}
