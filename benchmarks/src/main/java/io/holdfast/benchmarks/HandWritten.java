// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lock people write themselves: {@code SET key token NX PX}, tried again every 50 ms, and a script that compares and
 * deletes, with a random UUID as the token. No fencing, no renewal, no notion of loss, no answer to a lost reply.
 */
abstract class HandWritten implements Contender {
    static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final long POLL_MILLIS = 50;

    @Override
    public final Grant acquire(String key) throws InterruptedException {
        String lockKey = "byhand:lock:" + key;
        String token = UUID.randomUUID().toString();
        while (!"OK".equals(take(lockKey, token))) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return () -> {
            if (!Long.valueOf(1).equals(give(lockKey, token))) {
                throw new IllegalStateException(key + " was lost");
            }
        };
    }

    abstract @Nullable Object take(String lockKey, String token);

    abstract @Nullable Object give(String lockKey, String token);
}
