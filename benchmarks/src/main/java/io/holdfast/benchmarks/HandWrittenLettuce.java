// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** By hand on the synchronous API, all threads on one connection, as Lettuce advises. */
final class HandWrittenLettuce extends HandWritten {
    private final RedisClient client;
    private final RedisCommands<String, String> redis;
    private final String sha;

    HandWrittenLettuce(RedisAddress server) {
        client = RedisClient.create(RedisURI.create(server.host(), server.port()));
        redis = client.connect().sync();
        sha = redis.scriptLoad(RELEASE);
    }

    @Override
    @Nullable
    Object take(String lockKey, String token) {
        return redis.set(lockKey, token, SetArgs.Builder.nx().px(TTL_MILLIS));
    }

    @Override
    @Nullable
    Object give(String lockKey, String token) {
        return redis.evalsha(sha, ScriptOutputType.INTEGER, new String[] {lockKey}, token);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
