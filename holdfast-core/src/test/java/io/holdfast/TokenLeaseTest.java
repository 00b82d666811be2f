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
        assertThat(lease.hold().lose(LostReason.GONE, clock.nanoTime()))
                .isTrue(); // the timer is between these two steps

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.GONE);
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LostReason.GONE));
    }

    @Test
    void isHeld_foundOverByATimerThatWasLate_staysTrueForWhoHasItNow() {
        assertThat(lease.hold().lose(LostReason.MAX_HOLD, clock.nanoTime())).isFalse(); // of the one that had it before

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void ensureHeld_released_saysReleased() {
        assertThat(lease.release()).isTrue();

        assertThatIllegalStateException().isThrownBy(lease::ensureHeld).withMessageContaining("was released");
        assertThat(lease.lostReason()).isEmpty();
    }

    @Test
    void isHeld_turnsFalseBeforeTheTtlEndsByTheMargin() {
        clock.advanceUnnoticed(TTL.minus(LeaseTerms.margin(TTL)).minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));

        clock.advanceUnnoticed(Duration.ofNanos(1));
        assertThat(lease.isHeld()).as("before the timer noticed").isFalse();
        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
        assertThat(locks.inspect("order:42").isHeld()).as("its key").isTrue();
    }

    @Test
    void release_whoseLeaseEndsJustBeforeItIsSent_isFalse() {
        Duration promised = lease.remaining();
        clock.afterNextLook(() -> clock.advanceUnnoticed(promised)); // it was held a moment ago

        assertThat(lease.release()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
    }

    @Test
    void extend_confirmedAfterALongerRenewalByHand_neverShortensThePromise() {
        long now = clock.nanoTime();
        assertThat(lease.hold().resize(lease, now, TTL.multipliedBy(3), now)).isTrue();
        Duration promised = lease.remaining();

        assertThat(lease.hold().extend(now, TTL, now)).isTrue();

        assertThat(lease.remaining()).isEqualTo(promised);
    }

    @Test
    void renewal_confirmedAfterTheEndOfValidity_isNoneAlsoBeforeTheTimerNoticed() {
        long sentAt = clock.nanoTime();
        clock.advanceUnnoticed(TTL);
        long now = clock.nanoTime();

        assertThat(lease.hold().extend(sentAt, TTL.multipliedBy(2), now)).isFalse();
        assertThat(lease.hold().resize(lease, sentAt, TTL.multipliedBy(2), now)).isFalse();
        assertThat(lease.hold().close(now)).as("a release").isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void maxHold_endsPromiseAndKeyWhateverIsRenewed() {
        TokenLease bounded = (TokenLease)
                locks.lock("order:43", options -> options.ttl(TTL).renew(true).maxHold(Duration.ofSeconds(15)))
                        .acquire();
        clock.advanceUnnoticed(Duration.ofSeconds(8));

        assertThat(bounded.renew(TTL)).isTrue();
        assertThat(bounded.remaining()).isEqualTo(Duration.ofSeconds(7));
        assertThat(bounded.hold().nextTtl(clock.nanoTime()))
                .as("what the next renewal gives the key")
                .isEqualTo(Duration.ofSeconds(7).plus(LeaseTerms.margin(TTL)));
    }
}
