// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a held lease takes is seen by nobody until a process holds a hundred thousand; every field of it counts. */
class HeldLeasesTest {
    private static final int LEASES = 20_000;
    private static final double MOST_BYTES = 400;
    /** A key and its lock's name alone: with less, something else was measured. */
    private static final double LEAST_BYTES = 80;

    @Test
    void heldLease_withItsKey_takesFourHundredBytesAtMost() {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            HeldLeases held = HeldLeases.measure(server.uri(), Entry.HOLDFAST_JEDIS, LEASES, Duration.ZERO);

            assertThat(held.bytes()).as("%s", held).isBetween(LEAST_BYTES, MOST_BYTES);
            assertThat(held.lost()).isZero();
        }
    }
}
