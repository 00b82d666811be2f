// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.InMemoryBackend;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenLeaseTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final Holdfast locks = Holdfast.builder()
            .backend(new InMemoryBackend(clock))
            .clock(clock)
            .closeWait(Duration.ZERO)
            .build();
    private final TokenLease lease = (TokenLease) locks.tryLock("order:42", TTL).orElseThrow();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void ensureHeld_lostButNotYetTold_saysLostAndWhy() {
        assertThat(lease.hold().lose(LostReason.GONE)).isTrue(); // the timer is between these two steps

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.GONE);
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LostReason.GONE));
    }

    @Test
    void ensureHeld_released_saysReleased() {
        assertThat(lease.release()).isTrue();

        assertThatIllegalStateException().isThrownBy(lease::ensureHeld).withMessageContaining("was released");
        assertThat(lease.lostReason()).isEmpty();
    }

    @Test
    void isHeld_turnsFalseBeforeTheTtlEndsByTheMargin() {
        clock.advance(TTL.minus(lease.hold().options.margin(TTL)).minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));

        clock.advance(Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(locks.inspect("order:42").isHeld()).as("its key").isTrue();
    }
}
