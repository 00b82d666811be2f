// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.util.function.Consumer;
import redis.clients.jedis.JedisPubSub;

/** Subscribes and reads, on the calling thread, over a connection that does nothing else. Thread-safe. */
interface Listening {

    /**
     * Returns when the subscription was cancelled; throws {@link io.holdfast.spi.RedisReplyException} when it was refused,
     * {@link io.holdfast.spi.RedisConnectionException} when it broke.
     *
     * @param open gets what other threads can do with it, if Jedis lets anybody do that, and again whenever it changes
     */
    void listen(JedisPubSub pubSub, String channel, Consumer<Reading> open);
}
