// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long the first that waits may be overtaken. */
class GateQueueTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final Engine engine = LincheckSetting.engine(new OneLockStore(), new HandClock());
    private final GateQueue queue = new GateQueue();
    private final Acquisition first = new Acquisition(engine, LincheckSetting.wish(Runnable::run));
    private final Acquisition second = new Acquisition(engine, LincheckSetting.wish(Runnable::run));
    private long now;

    @BeforeEach
    void twoWait() {
        queue.add(first);
        queue.add(second);
    }

    @Test
    void first_isCalledOnce_untilItHasCome() {
        assertThat(queue.firstToCall(now)).isSameAs(first);
        assertThat(queue.firstToCall(now)).isNull();

        queue.firstHasCome();

        assertThat(queue.firstToCall(now)).isSameAs(first);
    }

    @Test
    void comingInVain_sevenTimesInAShortTime_makesItDue() {
        for (int i = 0; i < 6; i++) {
            comesInVain();
        }
        assertThat(queue.isFirstDue(now)).isFalse();

        comesInVain();

        assertThat(queue.isFirstDue(now)).isTrue();
    }

    @Test
    void comingInVain_onceEightMillisecondsAgo_makesItDue() {
        comesInVain();
        now += 7 * MILLI;
        assertThat(queue.isFirstDue(now)).isFalse();

        now += MILLI;

        assertThat(queue.isFirstDue(now)).isTrue();
    }

    @Test
    void timeCounts_fromTheFirstCall() {
        comesInVain();
        now += 4 * MILLI;
        comesInVain();
        now += 4 * MILLI;

        assertThat(queue.isFirstDue(now)).isTrue();
    }

    @Test
    void waitingAlone_isNotBeingCalledInVain() {
        queue.firstToCall(now);
        now += 100 * MILLI;

        assertThat(queue.isFirstDue(now)).isFalse();
    }

    @Test
    void next_startsAfresh() {
        for (int i = 0; i < 7; i++) {
            comesInVain();
        }

        assertThat(queue.poll()).isSameAs(first);

        assertThat(queue.isFirstDue(now)).isFalse();
        assertThat(queue.firstToCall(now)).isSameAs(second);
    }

    private void comesInVain() {
        queue.firstToCall(now);
        queue.firstHasCome();
        queue.firstCameInVain();
    }
}
