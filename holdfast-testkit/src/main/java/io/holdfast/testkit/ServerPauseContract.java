// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A server that stops answering, comes back empty, or comes back with its data. Slow: real leases must run out. */
public abstract class ServerPauseContract extends ProtocolContract {

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    @Test
    void serverPausedForLongerThanTheTtl_isToldWhileItIsStillPausedAndTheLockIsNotTakenBack() {
        Lease lease =
                locks.lock(key, options -> options.ttl(ms(1_500)).renew(true)).acquire();
        Lease byOwner = locks.lock(
                        key + ":o", options -> options.owner("o").ttl(ms(1_500)).renew(true))
                .acquire();
        AtomicInteger told = new AtomicInteger();
        AtomicReference<Boolean> held = new AtomicReference<>();
        lease.onLost(reason -> {
            held.set(lease.isHeld());
            told.incrementAndGet();
        });
        byOwner.onLost(reason -> told.incrementAndGet());
        redis().server().pause();
        try {
            await().until(() -> told.get() == 2);
            assertThat(held.get()).isFalse();
            assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
            elapse(ms(500));
        } finally {
            redis().server().resume();
        }
        elapse(ms(2_500));
        assertThat(told).as("told once each").hasValue(2);
        assertThat(backdoor.keysContaining(key)).as("nothing was taken back").isEmpty();
    }

    @Test
    void serverKilledAndBackWithItsDataWithinTheTtl_costsNothing() {
        try (EmbeddedRedis own = target().version()
                        .builder()
                        .setting("appendonly", "yes")
                        .setting("appendfsync", "always")
                        .start();
                RedisFixture there = on(own)) {
            Lease lease = at(there.address())
                    .lock(key, options -> options.ttl(Duration.ofSeconds(9)).renew(true))
                    .acquire();
            own.kill();
            elapse(ms(500));
            own.restart();
            try (RawRedis after = new RawRedis(own.host(), own.port())) {
                after.call("PEXPIRE", lockKey(), "7000");
                await().until(() -> after.pttl(lockKey()) > 7_000);
                assertThat(lease.isHeld()).isTrue();
                assertThat(after.get(lockKey())).isEqualTo(lease.token());
            }
        }
    }
}
