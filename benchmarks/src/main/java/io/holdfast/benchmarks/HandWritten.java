// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.UUID;

/**
 * The lock people write themselves: {@code SET key token NX PX} and a script that compares and deletes, with a random
 * UUID as the token. No fencing, no renewal, no notion of loss, no answer to a lost reply.
 */
abstract class HandWritten implements Contender {
    static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    static final long TTL_MILLIS = 30_000;

    private final String name;

    HandWritten(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String yardstick() {
        return name;
    }

    @Override
    public final void cycle(String key) {
        String lockKey = "byhand:lock:" + key;
        String token = UUID.randomUUID().toString();
        if (!"OK".equals(acquire(lockKey, token))) {
            throw new IllegalStateException(key + " was not free");
        }
        if (!Long.valueOf(1).equals(release(lockKey, token))) {
            throw new IllegalStateException(key + " was lost");
        }
    }

    abstract Object acquire(String lockKey, String token);

    abstract Object release(String lockKey, String token);
}
