// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's lock registry in one of its two modes, on Lettuce, with its default settings. */
final class SpringContender implements Contender {
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    SpringContender(RedisAddress server, RedisLockType type) {
        connections = new LettuceConnectionFactory(server.host(), server.port());
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "spring", Duration.ofMillis(TTL_MILLIS));
        registry.setRedisLockType(type);
    }

    @Override
    public Grant acquire(String key) {
        Lock lock = registry.obtain(key);
        lock.lock();
        return lock::unlock; // throws when it was lost
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
