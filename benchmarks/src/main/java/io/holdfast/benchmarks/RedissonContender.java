// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's lock or fair lock, with its default settings. An explicit lease spares it the renewal. */
final class RedissonContender implements Contender {
    private final RedissonClient client;
    private final boolean fair;

    RedissonContender(RedisAddress server, boolean fair) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + server.host() + ":" + server.port());
        this.client = Redisson.create(config);
        this.fair = fair;
    }

    @Override
    public Grant acquire(String key) {
        RLock lock = fair ? client.getFairLock("redisson:" + key) : client.getLock("redisson:" + key);
        lock.lock(TTL_MILLIS, TimeUnit.MILLISECONDS);
        return lock::unlock; // throws when it was lost
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
