// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.Optional;

/** Holdfast through its front door, {@code tryLock(key, ttl, wait)}, on a connector with its default settings. */
final class HoldfastContender implements Contender {
    private static final Duration TTL = Duration.ofMillis(TTL_MILLIS);
    private static final Duration WAIT = Duration.ofMinutes(5);

    private final Holdfast holdfast;

    HoldfastContender(RedisConnector connector, Mode mode) {
        this.holdfast = Holdfast.builder()
                .connector(connector)
                .defaults(mode.options().orElseThrow())
                .closeWait(Duration.ZERO)
                .build();
    }

    @Override
    public Grant acquire(String key) {
        Lease lease = holdfast.tryLock(key, TTL, WAIT)
                .orElseThrow(() -> new IllegalStateException(key + " was not free for " + WAIT));
        return () -> {
            if (!lease.release()) {
                throw new IllegalStateException(key + " was lost");
            }
        };
    }

    @Override
    public void close() {
        holdfast.close();
    }

    /** What Holdfast's lock is asked for. */
    enum Mode {
        FENCED,
        UNFENCED,
        FAIR,
        RETAINED;

        /** Empty: this build of Holdfast can't do it, and it is left out of the run. */
        Optional<LockOptions> options() {
            LockOptions.Builder options = LockOptions.builder();
            return switch (this) {
                case FENCED -> Optional.of(options.build());
                case UNFENCED -> Optional.of(options.fencing(false).build());
                case FAIR -> Optional.of(options.fair(true).build());
                case RETAINED ->
                    Optional.of(options.retain(Duration.ofSeconds(1)).build());
            };
        }
    }
}
