// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisCommand;
import org.jspecify.annotations.Nullable;

/** One command out, one reply in, on the calling thread. Thread-safe. */
interface Exchange {

    /**
     * Returns the reply as {@link Replies} makes it; throws only {@link io.holdfast.spi.RedisReplyException} and
     * {@link io.holdfast.spi.RedisConnectionException}.
     */
    @Nullable
    Object call(RedisCommand command);

    /** Closes what belongs to this connector; later calls fail as not sent. */
    void close();
}
