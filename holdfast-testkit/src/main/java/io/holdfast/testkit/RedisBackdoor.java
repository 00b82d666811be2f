// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A second, independent client on the server under test. */
final class RedisBackdoor implements Backdoor {
    private final RawRedis redis;

    RedisBackdoor(RawRedis redis) {
        this.redis = redis;
    }

    @Override
    public synchronized @Nullable String get(String lockKey) {
        return redis.get(lockKey);
    }

    @Override
    public synchronized long pttl(String lockKey) {
        return redis.pttl(lockKey);
    }

    @Override
    public synchronized void set(String lockKey, String value, long ttlMillis) {
        if (ttlMillis == 0) {
            redis.call("SET", lockKey, value);
        } else {
            redis.call("SET", lockKey, value, "PX", Long.toString(ttlMillis));
        }
    }

    @Override
    public synchronized void delete(String lockKey) {
        redis.call("DEL", lockKey);
    }

    @Override
    public synchronized Set<String> keysContaining(String text) {
        Set<String> found = new TreeSet<>();
        if (redis.call("KEYS", "*") instanceof List<?> keys) {
            keys.forEach(key -> found.add(String.valueOf(key)));
        }
        found.removeIf(key -> !key.contains(text));
        return found;
    }

    @Override
    public synchronized void flush() {
        redis.call("FLUSHALL");
    }
}
