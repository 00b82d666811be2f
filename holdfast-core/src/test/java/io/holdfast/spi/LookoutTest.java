// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LookoutTest {
    private static final Duration MOMENT = Duration.ofNanos(100);

    private final Lookout lookout = new Lookout(this::nanos, MOMENT);
    private long now;
    private int looks;

    @BeforeEach
    void oneCommandIsUnderWay() {
        lookout.begin();
    }

    @Test
    void reply_isLookedForUntilItIsThere() {
        assertThat(looksFor(5)).isEqualTo(5);
    }

    @Test
    void slowReply_isLookedForOnlyForAMoment() {
        assertThat(looksFor(1_000)).isBetween(10, 12);
    }

    @Test
    void farServer_isHardlyEverLookedOutFor() {
        int looked = 0;
        for (int reply = 0; reply < 10_000; reply++) {
            looked += looksFor(1_000) > 0 ? 1 : 0;
        }

        assertThat(looked).isLessThan(20);
    }

    @Test
    void oneSlowReply_isSoonForgotten() {
        looksFor(1_000);
        looksFor(1);
        looksFor(1);

        assertThat(looksFor(1)).isEqualTo(1);
        looksFor(1_000);
        assertThat(looksFor(1)).as("left out").isZero();
        assertThat(looksFor(1)).as("left out").isZero();
        assertThat(looksFor(1)).isEqualTo(1);
    }

    @Test
    void busyProcess_needsItsProcessors() {
        lookout.begin();
        assertThat(looksFor(5)).isZero();

        lookout.end();
        assertThat(looksFor(5)).isEqualTo(5);
    }

    @Test
    void commandThatJoinsIn_endsIt() {
        assertThat(looksFor(5, lookout::begin)).isEqualTo(1);
        lookout.end();

        assertThat(looksFor(5)).as("not in vain: it would have come").isEqualTo(5);
    }

    @Test
    void oneLooks_othersDoNot() {
        looks = 0;
        lookout.lookFor(() -> {
            int before = looks;
            lookout.lookFor(() -> ++looks > 0); // as another thread might
            assertThat(looks).isEqualTo(before);
            return true;
        });

        assertThat(looksFor(5)).as("over").isEqualTo(5);
    }

    @Test
    void none_neverLooks() {
        Lookout none = Lookout.none();
        none.begin();
        none.lookFor(() -> {
            throw new AssertionError("looked");
        });
        none.end();
    }

    @Test
    void nothingUnderWay_isNotLookedFor() {
        lookout.end();
        assertThat(looksFor(5)).isZero();
    }

    @Test
    void moment_isWithinBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lookout.lasting(Duration.ofMillis(11)))
                .withMessage("the look-out for a reply must be 0 to 10 ms, was PT0.011S");
        assertThatIllegalArgumentException().isThrownBy(() -> Lookout.lasting(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Lookout(MonotonicClock.SYSTEM, Duration.ofNanos(-1)));
    }

    private int looksFor(int thereAtLook) {
        return looksFor(thereAtLook, () -> {});
    }

    private int looksFor(int thereAtLook, Runnable meanwhile) {
        looks = 0;
        lookout.lookFor(() -> {
            now += 10;
            meanwhile.run();
            return ++looks >= thereAtLook;
        });
        return looks;
    }

    private long nanos() {
        return now;
    }
}
