// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.util.function.Consumer;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Listens through the application's client, which hides the connection it takes. Nobody can break that from outside, only
 * unsubscribe: one that is half-open keeps its thread until TCP gives it up.
 */
final class UnifiedListening implements Listening {
    private final UnifiedJedis client;
    private final Failures failures;

    UnifiedListening(UnifiedJedis client, Failures failures) {
        this.client = client;
        this.failures = failures;
    }

    @Override
    public void listen(JedisPubSub pubSub, String channel, Consumer<Reading> open) {
        try {
            client.subscribe(pubSub, channel);
        } catch (JedisException e) {
            throw failures.notListening(channel, e);
        }
    }
}
