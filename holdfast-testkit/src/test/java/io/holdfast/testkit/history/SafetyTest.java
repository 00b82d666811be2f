// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.history.Event.Kind;
import org.junit.jupiter.api.Test;

/** Exclusion and fencing: what is wrong must be found, and what only looks wrong must not. */
class SafetyTest {
    private final Story story = new Story();

    @Test
    void holdsOneAfterTheOther_areClean() {
        story.hold(1, 10, 100, 200).hold(2, 11, 200, 300).hold(1, 12, 300, 400);
        assertClean();
    }

    @Test
    void twoHoldsAtOneTime_areTwoHolders() {
        story.hold(1, 10, 100, 200).hold(2, 11, 199, 300);
        Violation overlap = only(Property.EXCLUSION);
        assertThat(overlap.at()).isEqualTo(Story.nanos(199));
        assertThat(overlap.nanos()).isEqualTo(Story.nanos(1));
        assertThat(overlap.lock()).isEqualTo(Story.LOCK);
        assertThat(overlap.claims()).extracting(Claim::pid).containsExactly(1L, 2L);
        assertThat(overlap.claims()).extracting(Claim::op).containsExactly(10L, 11L);
    }

    @Test
    void twoThreadsOfOneProcess_areTwoHolders() {
        story.hold(1, 10, 100, 200).hold(1, 11, 199, 300);
        only(Property.EXCLUSION);
    }

    @Test
    void shortHoldsInsideALongOne_areEachFound() {
        story.hold(1, 10, 100, 1_000).hold(2, 11, 200, 300).hold(3, 12, 400, 500);
        assertThat(story.check().violations(Property.EXCLUSION)).hasSize(2);
    }

    @Test
    void holdsOfDifferentLocksAtOneTime_areClean() {
        story.hold(1, 10, 100, 200).on("order:2").hold(2, 10, 150, 250);
        assertClean();
    }

    @Test
    void pausedHolder_claimsNothingAfterItsValidity() {
        story.at(200, Kind.PAUSED, 1).at(1_500, Kind.RESUMED, 1);
        story.op(1, 1).invoked(100, 0).granted(100, 10).at(1_510, Kind.LOST).at(1_520, Kind.LEFT);
        story.hold(2, 11, 1_100, 1_300);
        assertClean();
    }

    @Test
    void leaseThatSaysHeldAfterItsValidity_lengthensItsClaim() {
        story.op(1, 1).invoked(100, 0).granted(100, 10).checked(1_150, 2_150).left(1_160);
        story.hold(2, 11, 1_100, 1_300);
        assertThat(only(Property.EXCLUSION).nanos()).isEqualTo(Story.nanos(60));
    }

    @Test
    void leaseThatSaysHeldWhenItWrites_afterItsValidity_lengthensItsClaim() {
        story.op(1, 1).invoked(100, 0).granted(100, 10);
        story.events.add(new Event(Story.nanos(1_150), Kind.WRITING, 1, 1, Story.LOCK, 10, 1));
        story.hold(2, 11, 1_100, 1_180);
        assertThat(only(Property.EXCLUSION).nanos()).isEqualTo(Story.nanos(50));
    }

    @Test
    void renewedLease_claimsUntilTheValidityKnownLast() {
        story.op(1, 1).invoked(100, 0).granted(100, 10).checked(900, 1_900);
        story.op(2, 1).invoked(1_850, 0).granted(1_850, 11).left(1_860);
        only(Property.EXCLUSION);
    }

    @Test
    void leaseShortenedByItsHolder_claimsNoLonger() {
        story.op(1, 1).invoked(100, 0).granted(100, 10).checked(200, 300).at(350, Kind.LOST);
        story.hold(2, 11, 310, 400);
        assertClean();
    }

    @Test
    void killedHolder_claimsUntilItsDeath() {
        story.op(1, 1).invoked(100, 0).granted(100, 10);
        story.at(200, Kind.KILLED, 1, 210).hold(2, 11, 205, 300);
        assertThat(only(Property.EXCLUSION).claims()).extracting(Claim::end).contains(Claim.End.DIED);
    }

    @Test
    void leasesOfOneOwnerAtOneTime_areClean() {
        story.op(1, 1).owned(100, 7).invoked(100, 0).granted(110, 10).left(400);
        story.op(2, 1).owned(200, 7).invoked(200, 0).granted(210, 10).left(300);
        story.hold(3, 11, 400, 500);
        assertClean();
    }

    @Test
    void anotherBetweenTheLeasesOfOneOwner_isFoundBehindTheLongerOne() {
        story.op(1, 1).owned(100, 7).invoked(100, 0).granted(110, 10).left(300);
        story.op(3, 1).invoked(115, 0).granted(120, 11).left(250);
        story.op(2, 1).owned(200, 7).invoked(200, 0).granted(210, 12).left(220);
        assertThat(story.check().violations(Property.EXCLUSION)).hasSize(2);
    }

    @Test
    void overlapWithinALeaseOfALossOfData_isNotPromised() {
        story.op(1, 1).invoked(100, 0).granted(100, 10).at(400, Kind.LOST);
        story.removed(200, Event.NO_LOCK).hold(2, 11, 300, 500);
        Findings findings = story.check();
        assertThat(findings.holds()).as(String.join("\n", findings.lines())).isTrue();
        assertThat(findings.notPromised()).hasSize(1);
    }

    @Test
    void overlapAfterAFaultThatKeepsNoExclusion_isNotPromised_withinALeaseOfItsEnd() {
        story.fault(90, 150, Fault.CLOCK_FORWARD, 0);
        story.hold(1, 10, 100, 400).hold(2, 11, 300, 500);
        story.hold(1, 12, 1_200, 1_400).hold(2, 13, 1_300, 1_500);
        Findings findings = story.check();
        assertThat(findings.notPromised()).hasSize(1);
        assertThat(findings.violations(Property.EXCLUSION)).hasSize(1);
    }

    @Test
    void overlapBeforeALoss_orAfterThatOfAnotherLock_isTwoHolders() {
        story.hold(1, 10, 100, 200).hold(2, 11, 150, 300);
        story.removed(160, Event.NO_LOCK).removed(140, "order:2");
        only(Property.EXCLUSION);
    }

    @Test
    void staleWrite_acceptedIsFound() {
        story.op(1, 1)
                .invoked(100, 0)
                .granted(100, 10)
                .wrote(110, 115)
                .wrote(140, 150)
                .left(1_000);
        story.op(2, 1).granted(1_050, 11).wrote(120, 130);
        Violation stale = only(Property.FENCED_WRITES);
        assertThat(stale.claims()).extracting(Claim::token).containsExactly(11L, 10L);
    }

    @Test
    void staleWrite_refusedIsClean() {
        story.op(1, 1)
                .invoked(100, 0)
                .granted(100, 10)
                .at(140, Kind.WRITING)
                .at(150, Kind.REJECTED)
                .left(1_000);
        story.op(2, 1).granted(1_050, 11).wrote(120, 130);
        assertClean();
    }

    @Test
    void writesUnderWayAtOneTime_areNotStale() {
        story.op(1, 1).invoked(100, 0).granted(100, 10).wrote(125, 200).left(1_000);
        story.op(2, 1).granted(1_050, 11).wrote(120, 130);
        assertClean();
    }

    @Test
    void ownSecondWrite_isNotStale() {
        story.op(1, 1)
                .invoked(100, 0)
                .granted(100, 10)
                .wrote(110, 120)
                .wrote(130, 140)
                .left(150);
        assertClean();
    }

    @Test
    void tokenOfTwoGrants_isFound() {
        story.hold(1, 10, 100, 200).hold(2, 10, 300, 400);
        assertThat(only(Property.FENCES).what()).contains("one token");
    }

    @Test
    void tokenLowerThanOneGrantedBefore_isFound() {
        story.hold(1, 11, 100, 200).hold(2, 10, 300, 400);
        assertThat(only(Property.FENCES).what()).contains("lower");
    }

    @Test
    void tokensOfAcquiresUnderWayAtOneTime_mayComeInEitherOrder() {
        story.op(1, 1).invoked(100, 500).granted(110, 12).left(120);
        story.op(2, 1).invoked(105, 500).granted(130, 11).left(140);
        assertThat(story.check().violations(Property.FENCES)).isEmpty();
    }

    @Test
    void reEntry_withAnotherToken_isFound() {
        story.op(1, 1).owned(100, 7).invoked(100, 0).granted(110, 10).left(400);
        story.op(1, 2).owned(200, 7).invoked(200, 0).granted(210, 11).left(300);
        assertThat(only(Property.FENCES).what()).contains("re-entry");
    }

    @Test
    void reEntry_intoAHoldThatWasLost_mayHaveAnotherToken() {
        story.op(1, 1).owned(100, 7).invoked(100, 0).granted(110, 10).at(350, Kind.LOST);
        story.removed(150, Event.NO_LOCK);
        story.op(1, 2).owned(200, 7).invoked(200, 0).granted(210, 11).left(300);
        assertClean();
    }

    @Test
    void reEntry_intoAHoldThatWasRemoved_mayHaveAnotherTokenThoughItWasReleased() {
        story.op(1, 1).owned(100, 7).invoked(100, 0).granted(110, 10).left(400);
        story.removed(150, Event.NO_LOCK);
        story.op(1, 2).owned(200, 7).invoked(200, 0).granted(210, 11).left(300);
        assertThat(story.check().violations(Property.FENCES)).isEmpty();
    }

    @Test
    void ownersToken_givenAgainAfterItsLastRelease_isFound() {
        story.op(1, 1).owned(100, 7).invoked(100, 0).granted(110, 10).left(200);
        story.op(1, 2).owned(300, 7).invoked(300, 0).granted(310, 10).left(400);
        assertThat(only(Property.FENCES).what()).contains("one token");
    }

    private Violation only(Property property) {
        Findings findings = story.check();
        assertThat(findings.violations())
                .as(String.join("\n", findings.lines()))
                .hasSize(1);
        Violation violation = findings.violations().get(0);
        assertThat(violation.property()).isEqualTo(property);
        assertThat(findings.holds()).isFalse();
        return violation;
    }

    @Test
    void ownersToken_givenAgainAfterItsLastRelease_isClean_whileAnUnansweredAcquireMayHoldTheLock() {
        story.op(1, 1).owned(0, 7).invoked(0, 5_000).at(10, Kind.FAILED);
        story.op(1, 2).owned(20, 7).invoked(20, 5_000).granted(25, 5).left(30);
        story.op(2, 1).owned(40, 7).invoked(40, 5_000).granted(45, 5).left(50);
        assertClean();
    }

    @Test
    void reEntry_intoTheHoldThatALateCopyTook_keepsItsToken() {
        story.fault(0, 500, Fault.REPLIES_LOST, 0);
        story.op(1, 1)
                .owned(100, 7)
                .invoked(100, 5_000)
                .granted(200, 4)
                .left(300); // its first try arrives when that is over
        story.op(2, 1).owned(600, 7).invoked(600, 0).granted(605, 5).left(610);
        story.op(2, 2).owned(700, 7).invoked(700, 0).granted(705, 5).left(710);
        assertClean();
    }

    @Test
    void oneTokenForTwoGrants_whenALateCopyMustBeOver_isFound() {
        story.fault(0, 500, Fault.REPLIES_LOST, 0);
        story.op(1, 1).owned(100, 7).invoked(100, 5_000).granted(200, 4).left(300);
        story.op(2, 1).owned(1_650, 7).invoked(1_650, 0).granted(1_655, 5).left(1_660);
        story.op(2, 2).owned(1_700, 7).invoked(1_700, 0).granted(1_705, 5).left(1_710);
        only(Property.FENCES);
    }

    @Test
    void oneTokenForTwoGrants_afterAnOutageThatNoAcquireMet_isFound() {
        story.fault(0, 500, Fault.REPLIES_LOST, 0);
        story.op(1, 1).owned(600, 7).invoked(600, 0).granted(605, 5).left(610);
        story.op(2, 1).owned(700, 7).invoked(700, 0).granted(705, 5).left(710);
        only(Property.FENCES);
    }

    @Test
    void ownersToken_ofAHoldThatCameBackWithOldData_isNotPromised() {
        story.op(1, 1).owned(0, 7).invoked(0, 5_000).granted(5, 5).left(10);
        story.hold(2, 6, 20, 30);
        story.fault(40, 50, Fault.RESTARTED_WITHOUT_DATA, 0);
        story.op(3, 1).owned(60, 7).invoked(60, 5_000).granted(65, 5).left(70);
        assertThat(story.check().holds()).isTrue();
        assertThat(story.check().notPromised()).hasSize(1);
    }

    private void assertClean() {
        Findings findings = story.check();
        assertThat(findings.holds()).as(String.join("\n", findings.lines())).isTrue();
        assertThat(findings.notPromised()).isEmpty();
    }
}
