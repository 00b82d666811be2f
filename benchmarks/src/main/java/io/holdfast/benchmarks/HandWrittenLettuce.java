// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** By hand on the synchronous API, all threads on one connection, as Lettuce advises. */
final class HandWrittenLettuce extends HandWritten {
    static final String NAME = "by hand, Lettuce";

    private final RedisClient client;
    private final RedisCommands<String, String> redis;
    private final String sha;

    HandWrittenLettuce(EmbeddedRedis server) {
        super(NAME);
        client = RedisClient.create(server.uri());
        StatefulRedisConnection<String, String> connection = client.connect();
        redis = connection.sync();
        sha = redis.scriptLoad(RELEASE);
    }

    @Override
    Object acquire(String lockKey, String token) {
        return redis.set(lockKey, token, SetArgs.Builder.nx().px(TTL_MILLIS));
    }

    @Override
    Object release(String lockKey, String token) {
        return redis.evalsha(sha, ScriptOutputType.INTEGER, new String[] {lockKey}, token);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
