// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;

/** Holdfast through its front door, {@code tryLock(key, ttl)}, on a connector with its default settings. */
final class HoldfastContender implements Contender {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final String name;
    private final String yardstick;
    private final Holdfast holdfast;

    HoldfastContender(String client, String yardstick, RedisConnector connector, boolean fencing) {
        this.name = "Holdfast, " + client + (fencing ? ", fencing" : ", no fencing");
        this.yardstick = yardstick;
        this.holdfast = Holdfast.builder()
                .connector(connector)
                .defaults(LockOptions.builder().fencing(fencing).build())
                .build();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String yardstick() {
        return yardstick;
    }

    @Override
    public void cycle(String key) {
        Lease lease = holdfast.tryLock(key, TTL).orElseThrow(() -> new IllegalStateException(key + " was not free"));
        if (!lease.release()) {
            throw new IllegalStateException(key + " was lost");
        }
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
