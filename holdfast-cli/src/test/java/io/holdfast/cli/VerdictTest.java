// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.history.Claim;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories made by hand: each violation must be found, and nothing else. */
class VerdictTest {
    private static final String LOCK = "order:1";

    private final List<Event> events = new ArrayList<>();

    @Test
    void of_holdsOneAfterTheOther_findsNothing() {
        hold(1, 10, 100, 200);
        hold(2, 11, 200, 300);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.isSafe()).isTrue();
        assertThat(verdict.sections()).isEqualTo(2);
    }

    @Test
    void of_twoHoldsAtOneTime_findsTheOverlap() {
        hold(1, 10, 100, 200);
        hold(2, 11, 199, 300);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.isSafe()).isFalse();
        assertThat(verdict.overlaps()).singleElement().satisfies(overlap -> {
            assertThat(overlap.claims()).extracting(Claim::pid).containsExactly(1L, 2L);
            assertThat(overlap.nanos()).isEqualTo(1);
        });
    }

    @Test
    void of_shortHoldsInsideALongOne_findsEveryOne() {
        hold(1, 10, 100, 1_000);
        hold(2, 11, 200, 300);
        hold(3, 12, 400, 500);
        assertThat(Verdict.of(events).overlaps()).hasSize(2);
    }

    @Test
    void of_holdsOfDifferentLocksAtOneTime_findsNothing() {
        hold(1, 10, 100, 200);
        add(2, Kind.GRANTED, 150, 11, 5_000, "order:2");
        add(2, Kind.LEFT, 250, 11, 0, "order:2");
        assertThat(Verdict.of(events).overlaps()).isEmpty();
    }

    @Test
    void of_pausedHolder_claimsNothingAfterItsValidity() {
        add(1, Kind.GRANTED, 100, 10, 500);
        hold(2, 11, 500, 600);
        add(1, Kind.WRITING, 900, 10, 0);
        add(1, Kind.REJECTED, 910, 10, 0);
        add(1, Kind.LEFT, 920, 10, 0);
        add(1, Kind.LOST, 930, 10, 0);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.isSafe()).isTrue();
        assertThat(verdict.staleRejected()).isEqualTo(1);
    }

    @Test
    void of_leaseThatSaysHeldAfterItsValidity_findsTheOverlap() {
        add(1, Kind.GRANTED, 100, 10, 500);
        hold(2, 11, 500, 600);
        add(1, Kind.WRITING, 550, 10, 1);
        assertThat(Verdict.of(events).overlaps()).hasSize(1);
    }

    @Test
    void of_killedHolder_claimsUntilItsDeath() {
        add(1, Kind.GRANTED, 100, 10, 500);
        add(1, Kind.KILLED, 200, 10, 210);
        hold(2, 11, 205, 300);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.overlaps()).hasSize(1);
    }

    @Test
    void of_killedHolder_tellsWhenItsLockCameBack() {
        add(1, Kind.GRANTED, 100, 10, 500);
        add(1, Kind.KILLED, 200, 10, 210);
        hold(2, 11, 520, 600);
        hold(2, 12, 700, 800);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.isSafe()).isTrue();
        assertThat(verdict.kills()).singleElement().satisfies(kill -> {
            assertThat(kill.killedAt()).isEqualTo(200);
            assertThat(kill.nextGrant()).isEqualTo(520);
        });
    }

    @Test
    void of_killedHolderWhoseLockNobodyGot_isIncomplete() {
        add(1, Kind.GRANTED, 100, 10, 500);
        add(1, Kind.KILLED, 200, 10, 210);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.isComplete()).isFalse();
        assertThat(verdict.kills()).singleElement().matches(kill -> kill.nextGrant() == null);
    }

    @Test
    void of_staleWriteAccepted_findsIt() {
        write(1, 10, 100, 110, Kind.WRITTEN);
        write(2, 11, 120, 130, Kind.WRITTEN);
        write(1, 10, 131, 140, Kind.WRITTEN);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.staleAccepted()).isEqualTo(1);
        assertThat(verdict.isSafe()).isFalse();
    }

    @Test
    void of_writesUnderWayAtOneTime_areNotStale() {
        write(1, 10, 100, 200, Kind.WRITTEN);
        write(2, 11, 120, 130, Kind.WRITTEN);
        assertThat(Verdict.of(events).staleAccepted()).isZero();
    }

    @Test
    void of_tokenNotHigherThanTheOneBefore_findsIt() {
        hold(1, 11, 100, 200);
        hold(2, 11, 300, 400);
        hold(1, 10, 500, 600);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.unordered()).isEqualTo(2);
        assertThat(verdict.isSafe()).isFalse();
    }

    @Test
    void of_handOver_countsOnlyThoseWhoWaited() {
        add(2, Kind.INVOKED, 50, 0, 0);
        hold(1, 10, 100, 1_000);
        add(2, Kind.GRANTED, 1_250, 11, 5_000);
        add(2, Kind.LEFT, 2_000, 11, 0);
        add(1, Kind.INVOKED, 2_500, 0, 0);
        add(1, Kind.GRANTED, 2_600, 12, 5_000);
        Verdict verdict = Verdict.of(events);
        assertThat(verdict.handOvers().getTotalCount()).isEqualTo(1);
        assertThat(verdict.handOvers().getMaxValue()).isEqualTo(250);
    }

    @Test
    void lines_ofAViolation_sayFailed() {
        hold(1, 10, 100, 200);
        hold(2, 11, 150, 300);
        assertThat(VerdictText.lines(Verdict.of(events)))
                .anyMatch(line -> line.contains("overlaps found     1"))
                .anyMatch(line -> line.contains("order:1: pids 1 and 2"))
                .last()
                .asString()
                .startsWith("FAILED");
    }

    private void hold(long pid, long token, long from, long until) {
        add(pid, Kind.GRANTED, from, token, until + 1_000);
        add(pid, Kind.ENTERED, from, token, 0);
        add(pid, Kind.LEFT, until, token, 0);
        add(pid, Kind.RELEASED, until + 5, token, 0);
    }

    private void write(long pid, long token, long from, long until, Kind answer) {
        add(pid, Kind.WRITING, from, token, 0);
        add(pid, answer, until, token, 0);
    }

    private void add(long pid, Kind kind, long nanos, long token, long value) {
        add(pid, kind, nanos, token, value, LOCK);
    }

    private void add(long pid, Kind kind, long nanos, long token, long value, String lock) {
        events.add(new Event(nanos, kind, pid, token, lock, token, value));
    }
}
