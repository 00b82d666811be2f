// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;
import redis.clients.jedis.params.SetParams;

/** By hand on a pool of the same sizes as the connector's. */
@SuppressWarnings("deprecation") // Jedis prefers RedisClient since 7.2; what people wrote by hand has a JedisPool.
final class HandWrittenJedis extends HandWritten {
    private final JedisPool pool;
    private final String sha;

    HandWrittenJedis(RedisAddress server) {
        JedisPoolConfig config = new JedisPoolConfig();
        config.setMaxTotal(50);
        config.setMaxIdle(10);
        config.setMinIdle(5);
        config.setJmxEnabled(false);
        pool = new JedisPool(config, server.host(), server.port());
        try (Jedis jedis = pool.getResource()) {
            sha = jedis.scriptLoad(RELEASE);
        }
    }

    @Override
    @Nullable
    Object take(String lockKey, String token) {
        try (Jedis jedis = pool.getResource()) {
            return jedis.set(lockKey, token, SetParams.setParams().nx().px(TTL_MILLIS));
        }
    }

    @Override
    @Nullable
    Object give(String lockKey, String token) {
        try (Jedis jedis = pool.getResource()) {
            return jedis.evalsha(sha, List.of(lockKey), List.of(token));
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
