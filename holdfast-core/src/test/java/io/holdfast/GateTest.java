// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.InMemoryBackend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real locks in memory on a clock moved by hand: what is left of a lock that was kept. */
class GateTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final HandClock clock = new HandClock();
    private final Engine engine =
            new Engine(new InMemoryBackend(clock), new Alarms(clock), new Tokens("host-a/4711"), new Events(List.of()));

    @AfterEach
    void close() {
        engine.close(Duration.ZERO);
    }

    /** As after a long pause: whoever comes next may be faster than the timer. */
    @Test
    void keptLock_thatEndedBeforeTheTimerNoticed_leavesNothingBehind() {
        LockOptions kept =
                LockOptions.builder().ttl(TTL).renew(false).retain(KEPT).build();
        NamedLock lock = new NamedLock(engine, new KeySpace("holdfast", "lock", false).name("order:1"), kept);
        Lease first = lock.acquire();
        long token = first.fencingToken();
        first.release();
        clock.advanceUnnoticed(TTL);

        Lease next = lock.acquire();
        assertThat(next.fencingToken()).isGreaterThan(token);
        next.release();
        clock.advance(KEPT);

        await().untilAsserted(() -> {
            assertThat(engine.switchboard.size()).as("bids").isZero();
            assertThat(engine.keeper.size()).as("holds").isZero();
            assertThat(engine.gates.size()).as("gates").isZero();
        });
    }
}
