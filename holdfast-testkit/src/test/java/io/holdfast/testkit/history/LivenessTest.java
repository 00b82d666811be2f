// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.history.Event.Kind;
import org.junit.jupiter.api.Test;

/** Told in time, free in time, over in time; each bound is met or missed by a hair. The slack is 100 ms, a lease 1 s. */
class LivenessTest {
    private final Story story = new Story();

    @Test
    void holderToldByTheEndOfItsLease_isClean() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(1_100, Kind.LOST);
        assertThat(assertClean().worst().toldAfterExpiry()).isEqualTo(Story.nanos(100));
        assertThat(assertClean().counts().losses()).isEqualTo(1);
    }

    @Test
    void holderToldAfterTheEndOfItsLease_isFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(1_101, Kind.LOST);
        Violation late = only(Property.TOLD);
        assertThat(late.what()).startsWith("told late");
        assertThat(late.nanos()).isEqualTo(Story.nanos(101));
    }

    @Test
    void holderNeverTold_isFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(1_101, Kind.READY, 2);
        assertThat(only(Property.TOLD).what()).startsWith("never told");
    }

    @Test
    void holderThatReleasesAfterItsLeaseWithoutHavingBeenTold_isFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(1_200, Kind.LEFT).at(1_210, Kind.LATE);
        only(Property.TOLD);
    }

    @Test
    void pauseOfTheHolder_doesNotCount() {
        story.at(500, Kind.PAUSED, 1).at(3_000, Kind.RESUMED, 1);
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(3_100, Kind.LOST);
        assertClean();
    }

    @Test
    void pauseOfAnother_counts() {
        story.at(500, Kind.PAUSED, 2).at(3_000, Kind.RESUMED, 2);
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(3_100, Kind.LOST);
        only(Property.TOLD);
    }

    @Test
    void outage_isNoExcuseForATellingLate() {
        story.fault(500, 3_000, Fault.PARTITIONED, 0);
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(3_050, Kind.LOST);
        only(Property.TOLD);
    }

    @Test
    void renewal_movesTheEnd() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).checked(900, 1_900).at(1_950, Kind.LOST);
        assertClean();
    }

    @Test
    void leaseHeldToTheEnd_wasValidUntilThen_thoughNoRenewalIsOnRecord() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).left(3_000);
        story.op(2, 1).invoked(100, 5_000).granted(3_010, 11).left(3_020);
        assertClean();
        story.hold(3, 12, 2_000, 2_100);
        assertThat(story.check().violations(Property.EXCLUSION)).hasSize(1);
    }

    @Test
    void holderThatDies_needNotBeTold() {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(500, Kind.KILLED, 1, 510).at(3_000, Kind.READY, 2);
        assertClean();
    }

    @Test
    void holderThatEnds_needNotBeTold() {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(500, Kind.ENDED, 1).at(3_000, Kind.READY, 2);
        assertClean();
    }

    @Test
    void removalOfTheKey_isToldWithinARenewalInterval() {
        renewedUntilToldAt(633).removed(200, Story.LOCK);
        assertThat(assertClean().worst().toldAfterRemoval()).isEqualTo(Story.nanos(433));
    }

    @Test
    void removalOfTheKey_toldLaterIsFound() {
        renewedUntilToldAt(634).removed(200, Event.NO_LOCK);
        assertThat(only(Property.TOLD).what()).contains("removal");
    }

    @Test
    void removalOfAnotherKey_isNothingToTell() {
        renewedUntilToldAt(900).removed(200, "order:2");
        assertClean();
    }

    @Test
    void removalOfAFixedLeasesKey_isToldAtItsEnd() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(1_050, Kind.LOST);
        story.removed(200, Story.LOCK);
        assertClean();
    }

    @Test
    void removalOfTheKey_isToldLaterByTheTimeOfAnOutage() {
        renewedUntilToldAt(900).removed(200, Story.LOCK).fault(300, 600, Fault.SERVER_PAUSED, 0);
        assertClean();
    }

    @Test
    void removalOfTheKey_isToldLaterByAnOutageOfItsProcessOnly() {
        renewedUntilToldAt(900).removed(200, Story.LOCK).fault(300, 600, Fault.PARTITIONED, 1);
        assertClean();
        story.events.replaceAll(event -> event.kind().name().startsWith("FAULT") ? event.withPid(2) : event);
        only(Property.TOLD);
    }

    @Test
    void removalAfterTheRelease_isNothingToTell() {
        story.op(1, 1).renewing(0, 333).invoked(0, 0).granted(0, 10).left(150);
        story.removed(200, Story.LOCK).at(3_000, Kind.READY, 2);
        assertClean();
    }

    @Test
    void leaseHeldAgainAfterItWasLost_isFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(500, Kind.LOST).checked(501, 900);
        assertThat(only(Property.TOLD).what()).contains("again after it was lost");
    }

    @Test
    void leaseHeldWhenItWrites_afterItWasLost_isFound() {
        Story.Op op = story.op(1, 1).invoked(0, 0).granted(0, 10).at(500, Kind.LOST);
        story.events.add(new Event(Story.nanos(501), Kind.WRITING, 1, 1, Story.LOCK, 10, 1));
        op.at(502, Kind.WRITTEN);
        only(Property.TOLD);
    }

    @Test
    void leaseHeldAgainAfterItWasGivenBack_isFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).left(500).checked(501, 900);
        assertThat(only(Property.TOLD).what()).contains("again after it was given back");
    }

    @Test
    void leaseSeenHeldBeforeTheLoss_butWrittenDownLater_isClean() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(500, Kind.LOST).checked(499, 900);
        assertClean();
    }

    @Test
    void lockOfADeadHolder_isGrantedToAWaiterWithinItsTtl() {
        killedWithAWaiterGrantedAt(1_600);
        assertThat(assertClean().worst().free()).isEqualTo(Story.nanos(1_100));
    }

    @Test
    void lockOfADeadHolder_grantedLaterIsFound() {
        killedWithAWaiterGrantedAt(1_601);
        Violation late = only(Property.FREE);
        assertThat(late.nanos()).isEqualTo(Story.nanos(1_101));
        assertThat(late.claims()).singleElement().matches(claim -> claim.end() == Claim.End.DIED);
    }

    @Test
    void lockOfADeadHolder_thatIsNeverGrantedAgainIsFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(490, Kind.KILLED, 1, 500);
        story.op(2, 1).invoked(400, 5_000).at(5_400, Kind.BUSY);
        assertThat(only(Property.FREE).what()).contains("not granted again");
    }

    @Test
    void lockOfADeadHolder_whoseWaiterGaveUpBefore_isClean() {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(490, Kind.KILLED, 1, 500).at(9_000, Kind.READY, 3);
        story.op(2, 1).invoked(400, 1_200).at(1_600, Kind.BUSY);
        assertClean();
    }

    @Test
    void lockOfADeadHolder_thatNobodyWaitedFor_isClean() {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(490, Kind.KILLED, 1, 500).hold(2, 11, 9_000, 9_100);
        assertThat(assertClean().worst().free()).isZero();
    }

    @Test
    void lockOfALostHolder_grantedLateIsFound() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(1_000, Kind.LOST);
        story.op(2, 1).invoked(400, 5_000).granted(2_101, 11).left(2_200);
        only(Property.FREE);
    }

    @Test
    void lockGivenBack_thatNoWaiterHearsOf_isFound() {
        story.hold(1, 10, 0, 500);
        story.op(2, 1).invoked(400, 5_000).granted(1_601, 11).left(1_700);
        only(Property.FREE);
    }

    @Test
    void freeLock_thatOneWhoComesLaterDoesNotGet_isFound() {
        story.hold(1, 10, 0, 500);
        story.op(2, 1).invoked(5_000, 5_000).at(6_100, Kind.BUSY);
        assertClean();
        story.op(2, 2).invoked(7_000, 5_000).granted(8_101, 11).left(8_200);
        only(Property.FREE);
    }

    @Test
    void lockGivenBackWhileTheReleaseIsUnderWay_countsFromItsAnswer() {
        story.op(1, 1).invoked(0, 0).granted(0, 10).at(500, Kind.LEFT).at(700, Kind.RELEASED);
        story.op(2, 1).invoked(400, 5_000).granted(1_790, 11).left(1_800);
        assertClean();
    }

    @Test
    void outage_excusesALateGrant() {
        killedWithAWaiterGrantedAt(2_600).fault(900, 1_900, Fault.SERVER_PAUSED, 0);
        assertThat(assertClean().worst().free()).isEqualTo(Story.nanos(1_100));
    }

    @Test
    void faultThatLeavesTheServerReachable_excusesNothing() {
        killedWithAWaiterGrantedAt(2_600).fault(900, 1_900, Fault.SCRIPTS_FLUSHED, 0);
        only(Property.FREE);
    }

    @Test
    void anotherWaiterThatDiesMeanwhile_mayHaveHadTheLock() {
        killedWithAWaiterGrantedAt(2_500);
        story.op(3, 1).invoked(400, 5_000);
        story.at(1_450, Kind.KILLED, 3, 1_450);
        assertClean();
    }

    @Test
    void acquireThatNobodyKnowsTheEndOf_mayHaveHadTheLock() {
        killedWithAWaiterGrantedAt(2_500);
        story.op(3, 1).invoked(400, 5_000).at(1_450, Kind.UNKNOWN);
        assertClean();
    }

    @Test
    void acquireThatFailed_cannotHaveHadTheLock() {
        killedWithAWaiterGrantedAt(2_500);
        story.op(3, 1).invoked(400, 5_000).at(1_450, Kind.FAILED);
        only(Property.FREE);
    }

    @Test
    void lockThatOldDataBroughtBack_isFreeWithinItsTtl() {
        restartedAndGrantedAt(4_200, Fault.RESTARTED_WITH_OLD_DATA);
        assertClean();
    }

    @Test
    void lockThatOldDataBroughtBack_isFreeNoLater() {
        restartedAndGrantedAt(4_201, Fault.RESTARTED_WITH_OLD_DATA);
        only(Property.FREE);
    }

    @Test
    void restartWithAllData_bringsNoLockBack() {
        restartedAndGrantedAt(4_200, Fault.RESTARTED);
        only(Property.FREE);
    }

    @Test
    void restartWithoutAnyData_bringsNoLockBack() {
        restartedAndGrantedAt(4_200, Fault.RESTARTED_WITHOUT_DATA);
        only(Property.FREE);
    }

    /** One lease that would have lasted until 3,000 is given back, and so is a shorter one that follows. */
    private void restartedAndGrantedAt(long millis, Fault fault) {
        story.op(1, 1).invoked(0, 0).granted(0, 10, 3_000).left(100);
        story.hold(1, 11, 200, 300).fault(400, 450, fault, 0);
        story.op(2, 1).invoked(500, 5_000).granted(millis, 12).left(millis + 10);
    }

    @Test
    void waiterThatDiesTogetherWithTheHolder_cannotHaveHadTheLock() {
        story.op(1, 2).invoked(300, 5_000);
        killedWithAWaiterGrantedAt(1_601);
        only(Property.FREE);
    }

    @Test
    void waiterThatIsPausedMeanwhile_isNotKeptWaiting() {
        killedWithAWaiterGrantedAt(4_000).at(1_000, Kind.PAUSED, 2).at(3_900, Kind.RESUMED, 2);
        assertClean();
    }

    @Test
    void ownersLock_isFreeOnlyAfterItsLastHold() {
        story.op(1, 1).owned(0, 7).invoked(0, 0).granted(0, 10);
        story.op(4, 1)
                .owned(10, 7)
                .invoked(10, 0)
                .granted(20, 10)
                .checked(900, 1_900)
                .left(1_800);
        story.at(490, Kind.KILLED, 1, 500);
        story.op(2, 1).invoked(400, 5_000).granted(1_810, 11).left(1_900);
        assertClean();
    }

    @Test
    void acquireWithinItsWait_isClean() {
        story.op(1, 1).invoked(0, 1_000).at(1_100, Kind.BUSY);
        story.op(1, 2).invoked(0, 1_000).at(1_100, Kind.FAILED);
        story.op(1, 3).invoked(0, 1_000).at(1_100, Kind.CANCELLED);
        assertClean();
        assertThat(story.check().counts().busy()).isEqualTo(1);
        assertThat(story.check().counts().failed()).isEqualTo(1);
    }

    @Test
    void acquireLongerThanItsWait_isFound() {
        story.op(1, 1).invoked(0, 1_000).at(1_101, Kind.BUSY);
        assertThat(only(Property.ENDS).what()).contains("late");
    }

    @Test
    void acquireThatNeverReturns_isFound() {
        story.op(1, 1).invoked(0, 1_000);
        story.at(1_101, Kind.READY, 2);
        assertThat(only(Property.ENDS).what()).contains("never");
    }

    @Test
    void acquireWithoutLimit_mayTakeForEver() {
        story.events.add(new Event(0, Kind.INVOKED, 1, 1, Story.LOCK, 0, Long.MAX_VALUE));
        story.at(1_000_000, Kind.READY, 2);
        assertClean();
    }

    @Test
    void acquireOfAProcessThatDiesOrStandsStill_needNotReturn() {
        story.op(1, 1).invoked(0, 1_000);
        story.op(2, 1).invoked(0, 1_000).at(5_000, Kind.BUSY);
        story.op(3, 1).invoked(0, 1_000);
        story.at(500, Kind.KILLED, 1, 510).at(500, Kind.PAUSED, 2).at(4_500, Kind.RESUMED, 2);
        story.at(900, Kind.ENDED, 3);
        assertClean();
    }

    private Story renewedUntilToldAt(long millis) {
        story.op(1, 1).renewing(0, 333).invoked(0, 0).granted(0, 10).at(millis, Kind.LOST);
        return story;
    }

    private Story killedWithAWaiterGrantedAt(long millis) {
        story.op(1, 1).invoked(0, 0).granted(0, 10);
        story.at(490, Kind.KILLED, 1, 500);
        story.op(2, 1).invoked(400, 5_000).granted(millis, 11).left(millis + 10);
        return story;
    }

    private Violation only(Property property) {
        Findings findings = story.check();
        assertThat(findings.violations())
                .as(String.join("\n", findings.lines()))
                .hasSize(1)
                .extracting(Violation::property)
                .containsExactly(property);
        return findings.violations().get(0);
    }

    private Findings assertClean() {
        Findings findings = story.check();
        assertThat(findings.holds()).as(String.join("\n", findings.lines())).isTrue();
        return findings;
    }
}
