// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Turns that a process takes in memory on one grant, and what excuses one that comes after a higher grant: process 1 was granted
 * the lock at 100 ms, and renews it every 300 ms; process 2 gets it at 210 ms. What is loose is 100 ms.
 */
class TurnsTest {
    private static final long OLD = 10;
    private static final long NEW = 11;
    private static final long EVERY = 300;

    private final Story story = new Story();

    @Test
    void turnsOnOneGrant_thatRise_areClean() {
        granted().turn(1, 160).turn(2, 170);
        story.hold(2, token(NEW, 0), 210, 250);
        assertThat(check().notPromised()).isEmpty();
        assertThat(check().holds()).isTrue();
    }

    @Test
    void turnAfterAHigherGrant_isFound() {
        granted().another().turn(1, 300);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_keyRemovedBetween_isNotPromised_untilTheNextRenewal() {
        granted().removed(200).another().turn(1, 600);
        isExcused();
    }

    @Test
    void turnAfterAHigherGrant_keyRemovedLongerAgoThanARenewalTakes_isFound() {
        granted().removed(200).another().turn(1, 601);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_keyRemoved_timeInWhichTheProcessCouldNotLearnDoesNotCount() {
        story.at(300, Event.Kind.PAUSED, 1).at(350, Event.Kind.RESUMED, 1);
        story.fault(400, 450, Fault.PARTITIONED, 1);
        granted().removed(200).another().turn(1, 700);
        isExcused();
    }

    @Test
    void turnAfterAHigherGrant_keyRemoved_timeInWhichAnotherProcessCouldNotLearnCounts() {
        story.at(300, Event.Kind.PAUSED, 3).at(400, Event.Kind.RESUMED, 3);
        granted().removed(200).another().turn(1, 700);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_leaseNotRenewed_isNotPromised_onlyAtOnce() {
        story.hold(1, token(OLD, 0), 100, 150).removed(200, Story.LOCK).hold(2, token(NEW, 0), 210, 250);
        story.hold(1, token(OLD, 1), 300, 305);
        isExcused();
    }

    @Test
    void turnAfterAHigherGrant_leaseNotRenewed_laterThanAtOnce_isFound() {
        story.hold(1, token(OLD, 0), 100, 150).removed(200, Story.LOCK).hold(2, token(NEW, 0), 210, 250);
        story.hold(1, token(OLD, 1), 301, 305);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_everythingRemoved_isNotPromised() {
        granted().another().turn(1, 300);
        story.removed(200, Event.NO_LOCK);
        isExcused();
    }

    @Test
    void turnAfterAHigherGrant_serverBackWithOldData_isNotPromised() {
        granted().another().turn(1, 300);
        story.fault(190, 200, Fault.RESTARTED_WITHOUT_DATA, 0);
        isExcused();
    }

    @Test
    void turnAfterAHigherGrant_faultThatKeepsTheData_isFound() {
        granted().another().turn(1, 300);
        story.fault(190, 200, Fault.RESTARTED, 0);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_anotherLocksKeyRemoved_isFound() {
        granted().another().turn(1, 300);
        story.removed(200, "order:2");
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_keyRemovedBeforeItsOwnGrant_isFound() {
        granted().removed(100).another().turn(1, 300);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_keyRemovedAfterThat_isFound() {
        granted().another().removed(211).turn(1, 300);
        isFound("lower");
    }

    @Test
    void turnAfterTwoHigherGrants_keyRemovedBetweenThose_isFound() {
        granted().hold(2, token(NEW, 0), 160, 170);
        story.removed(200, Story.LOCK).hold(2, token(NEW + 1, 0), 210, 250);
        turn(1, 300);
        isFound("lower");
    }

    @Test
    void turnAfterAHigherGrant_keyRemovedTwice_isNotPromised() {
        granted().removed(200).another().removed(260).turn(1, 300);
        isExcused();
    }

    /** The key goes at some time between 200 and 900 ms, so after either grant as far as anybody knows. */
    @Test
    void firstTurn_lowerThanAGrantBefore_isFoundAlsoWhenTheKeyWasRemoved() {
        story.at(200, Event.Kind.REMOVED, 0, 900);
        another().turn(0, 300);
        isFound("lower");
    }

    @Test
    void turnLowerThanOneOnTheSameGrant_isFoundAlsoWhenTheKeyWasRemoved() {
        granted().removed(200).another().turn(2, 290).turn(1, 300);
        isFound("lower");
    }

    @Test
    void turnGivenTwice_isFoundAlsoWhenTheKeyWasRemoved() {
        granted().turn(1, 160).removed(200).another().turn(1, 300);
        isFound("one token");
    }

    @Test
    void staleWriteOfATurnThatIsExcused_isFound() {
        granted().removed(200);
        story.op(2, 1)
                .invoked(210, 0)
                .granted(210, token(NEW, 0))
                .wrote(220, 230)
                .left(250);
        story.op(1, 2)
                .renewing(300, EVERY)
                .invoked(300, 0)
                .granted(300, token(OLD, 1))
                .wrote(301, 302)
                .left(305);
        assertThat(check().notPromised()).hasSize(1);
        assertThat(check().violations())
                .singleElement()
                .extracting(Violation::property)
                .isEqualTo(Property.FENCED_WRITES);
    }

    private static long token(long base, int turn) {
        return base << 10 | turn;
    }

    private TurnsTest granted() {
        return turn(0, 100);
    }

    private TurnsTest turn(int number, long at) {
        story.op(1, at)
                .renewing(at, EVERY)
                .invoked(at, 0)
                .granted(at, token(OLD, number))
                .left(at + 5);
        return this;
    }

    private TurnsTest another() {
        return hold(2, token(NEW, 0), 210, 250);
    }

    private TurnsTest hold(long pid, long token, long from, long until) {
        story.hold(pid, token, from, until);
        return this;
    }

    private TurnsTest removed(long at) {
        story.removed(at, Story.LOCK);
        return this;
    }

    private Findings check() {
        return story.check();
    }

    private void isExcused() {
        Findings findings = check();
        assertThat(findings.holds()).as(String.join("\n", findings.lines())).isTrue();
        assertThat(findings.notPromised()).singleElement().satisfies(turn -> {
            assertThat(turn.property()).isEqualTo(Property.FENCES);
            assertThat(turn.claims()).extracting(Claim::token).contains(token(OLD, 1));
        });
        assertThat(findings.lines()).anyMatch(line -> line.contains("1 late turns"));
    }

    private void isFound(String what) {
        Findings findings = check();
        assertThat(findings.violations(Property.FENCES))
                .as(String.join("\n", findings.lines()))
                .singleElement()
                .extracting(Violation::what)
                .asString()
                .contains(what);
    }
}
