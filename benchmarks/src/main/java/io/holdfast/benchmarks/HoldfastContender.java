// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Holdfast through its front door, {@code tryLock(key, ttl, wait)}, on a connector with its default settings. */
final class HoldfastContender implements Contender {
    private static final Duration TTL = Duration.ofMillis(TTL_MILLIS);
    private static final Duration WAIT = Duration.ofMinutes(5);

    private final Holdfast holdfast;

    HoldfastContender(RedisConnector connector, LockOptions options) {
        this.holdfast = Holdfast.builder()
                .connector(connector)
                .defaults(options)
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

    /** What Holdfast's lock is asked for. Null: not built yet, and so left out of the run. */
    enum Mode {
        FENCED(LockOptions.defaults()),
        UNFENCED(LockOptions.builder().fencing(false).build()),
        FAIR(null), // LockOptions.builder().fair(true).build()
        RETAINED(null); // LockOptions.builder().retain(Duration.ofSeconds(1)).build()

        private final @Nullable LockOptions options;

        Mode(@Nullable LockOptions options) {
            this.options = options;
        }

        boolean isBuilt() {
            return options != null;
        }

        LockOptions options() {
            if (options == null) {
                throw new IllegalStateException(this + " is not built yet");
            }
            return options;
        }
    }
}
