// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.faults.ServerFaults;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that comes back without the end of its append-only file, as after a loss of power: the grant is forgotten. */
public abstract class PowerLossContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(6);
    /** For those before, one of which may come back without its release. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    private static final int GRANTS_BEFORE = 60;
    /** More than were written since the grant, renewals included, and less than all. */
    private static final int LOST_COMMANDS = 30;

    @Override
    protected EmbeddedRedis server() {
        return target().version()
                .builder()
                .setting("appendonly", "yes")
                .setting("auto-aof-rewrite-percentage", "0")
                .start();
    }

    private Lease grantThenLosePower(Holdfast process) {
        for (int i = 0; i < GRANTS_BEFORE; i++) {
            process.withLock(key, BRIEF, () -> {});
        }
        Lease lease = process.lock(key, options -> options.ttl(TTL).renew(true)).acquire();
        try (ServerFaults server = ServerFaults.of(redis().server())) {
            server.restartWithoutLastCommands(LOST_COMMANDS);
        }
        return lease;
    }

    private Lease acquire(Holdfast process) {
        return process.lock(key, options -> options.ttl(TTL)).acquire(Duration.ofSeconds(20));
    }

    @Test
    void grantLostWithThePower_isToldToItsHolderAndItsLateWriteIsRefused() {
        FencedRegister register = new FencedRegister();
        Lease first = grantThenLosePower(locks);
        assertThat(register.write(first.fencingToken())).isTrue();

        Lease second = acquire(another());

        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(register.write(second.fencingToken())).isTrue();
        assertThat(register.write(first.fencingToken())).as("too late").isFalse();
        await().until(() -> first.lostReason().isPresent());
        assertThat(first.lostReason()).as("by its next renewal").contains(LostReason.GONE);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.release()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(second.release())
                .as("not touched by the first one's release")
                .isTrue();
    }

    @Test
    void tokensThatOnlyCount_areGivenTwiceAndALateWriteIsTaken() {
        Holdfast counting = withoutClock();
        FencedRegister register = new FencedRegister();
        Lease first = grantThenLosePower(counting);
        assertThat(register.write(first.fencingToken())).isTrue();

        Lease second = acquire(withoutClock());

        assertThat(second.fencingToken()).as("the violation").isLessThanOrEqualTo(first.fencingToken());
        register.write(second.fencingToken());
        assertThat(register.write(first.fencingToken()))
                .as("a stale write taken")
                .isTrue();
    }

    private Holdfast withoutClock() {
        RedisConnector connector = target().connect().apply(redis().address());
        return another(builder -> builder.connector(RewritingConnector.countingFences(connector)));
    }
}
