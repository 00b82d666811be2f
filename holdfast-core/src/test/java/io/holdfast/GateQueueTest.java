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
    void comingInVain_thriceInAShortTime_makesItDue() {
        comesInVain();
        comesInVain();
        assertThat(queue.isFirstDue(false, now)).isFalse();

        comesInVain();

        assertThat(queue.isFirstDue(false, now)).isTrue();
    }

    @Test
    void comingInVain_onceFourMillisecondsAgo_makesItDue() {
        comesInVain();
        now += 3 * MILLI;
        assertThat(queue.isFirstDue(false, now)).isFalse();

        now += MILLI;

        assertThat(queue.isFirstDue(false, now)).isTrue();
    }

    @Test
    void timeCounts_fromTheFirstCall() {
        comesInVain();
        now += 2 * MILLI;
        comesInVain();
        now += 2 * MILLI;

        assertThat(queue.isFirstDue(false, now)).isTrue();
    }

    @Test
    void waitingAlone_isNotBeingCalledInVain() {
        queue.firstToCall(now);
        now += 100 * MILLI;

        assertThat(queue.isFirstDue(true, now)).isFalse();
    }

    @Test
    void beingOvertaken_countsOnlyWhileTurnsAreCounted() {
        for (int i = 0; i < GateQueue.FEW; i++) {
            assertThat(queue.isFirstDue(true, now)).isFalse();
            queue.firstIsOvertaken();
        }

        assertThat(queue.isFirstDue(true, now)).isTrue();
        assertThat(queue.isFirstDue(false, now)).isFalse();
    }

    @Test
    void next_startsAfresh() {
        for (int i = 0; i < GateQueue.FEW; i++) {
            comesInVain();
            queue.firstIsOvertaken();
        }

        assertThat(queue.poll()).isSameAs(first);

        assertThat(queue.isFirstDue(true, now)).isFalse();
        assertThat(queue.firstToCall(now)).isSameAs(second);
    }

    private void comesInVain() {
        queue.firstToCall(now);
        queue.firstHasCome();
        queue.firstCameInVain();
    }
}
