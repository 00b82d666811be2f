// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Checker;
import io.holdfast.testkit.history.Claim;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.Findings;
import io.holdfast.testkit.history.Property;
import io.holdfast.testkit.history.Settings;
import io.holdfast.testkit.history.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the histories of a run prove. A pure function of them: nothing the demo believed while it ran goes in.
 *
 * @param findings what holds for every history
 * @param handOvers nanoseconds from release to the grant of one who waited, all locks together
 * @param kills what became of the locks that killed processes held
 * @param pauses what became of the leases that paused processes held
 */
record Verdict(Findings findings, Histogram handOvers, List<Kill> kills, List<Pause> pauses) {

    /** A lock whose holder was killed; {@code nextGrant} is null if nobody got it any more. */
    record Kill(Claim claim, long killedAt, @Nullable Long nextGrant) {}

    /** A lease whose holder was paused: whether it learned of the loss, and what the store said to its late write. */
    record Pause(Event paused, long nanos, boolean toldLost, boolean rejected) {}

    static Verdict of(List<Event> events) {
        Histogram handOvers = new HandOvers().nanos();
        byLock(events).values().forEach(ofOneLock -> handOvers.add(HandOvers.of(ofOneLock)));
        return new Verdict(Checker.check(events, Settings.standard()), handOvers, kills(events), pauses(events));
    }

    /** Critical sections entered. */
    long sections() {
        return findings.counts().sections();
    }

    /** Times at which two leases of one lock claimed to be valid. */
    List<Violation> overlaps() {
        return findings.violations(Property.EXCLUSION);
    }

    /** Leases whose fencing token was not higher than that of a lease before. */
    long unordered() {
        return findings.violations(Property.FENCES).size();
    }

    /** Writes taken after one with a higher token had been taken. */
    long staleAccepted() {
        return findings.violations(Property.FENCED_WRITES).size();
    }

    /** Writes the store refused. */
    long staleRejected() {
        return findings.counts().rejected();
    }

    /** Calls that did not reach Redis. */
    long failures() {
        return findings.counts().failed();
    }

    /** Whether exclusion and fencing held; says nothing about whether locks came back. */
    boolean isSafe() {
        return overlaps().isEmpty() && unordered() == 0 && staleAccepted() == 0;
    }

    /** Whether there were both, and every killed holder's lock was granted again, every paused holder told and refused. */
    boolean isComplete() {
        return !kills.isEmpty()
                && !pauses.isEmpty()
                && kills.stream().allMatch(kill -> kill.nextGrant != null)
                && pauses.stream().allMatch(pause -> pause.toldLost && pause.rejected);
    }

    private static List<Kill> kills(List<Event> events) {
        List<Claim> claims = Claim.all(events);
        List<Kill> kills = new ArrayList<>();
        for (Event kill : events) {
            if (kill.kind() == Kind.KILLED && !kill.lock().equals(Event.NO_LOCK)) {
                claims.stream()
                        .filter(claim -> claim.pid() == kill.pid() && claim.end() == Claim.End.DIED)
                        .forEach(claim -> kills.add(new Kill(claim, kill.nanos(), nextGrant(claims, claim))));
            }
        }
        return kills;
    }

    private static @Nullable Long nextGrant(List<Claim> sorted, Claim claim) {
        return sorted.stream()
                .filter(other -> other.lock().equals(claim.lock()) && other.from() > claim.from())
                .map(Claim::from)
                .findFirst()
                .orElse(null);
    }

    private static List<Pause> pauses(List<Event> events) {
        List<Pause> pauses = new ArrayList<>();
        for (Event paused : events) {
            if (paused.kind() == Kind.PAUSED) {
                List<Event> later = events.stream()
                        .filter(e -> e.pid() == paused.pid() && e.nanos() > paused.nanos())
                        .toList();
                long resumedAt = later.stream()
                        .filter(e -> e.kind() == Kind.RESUMED)
                        .mapToLong(Event::nanos)
                        .findFirst()
                        .orElse(paused.nanos());
                List<Kind> ofLease = later.stream()
                        .filter(e -> e.op() == paused.op())
                        .map(Event::kind)
                        .toList();
                pauses.add(new Pause(
                        paused,
                        resumedAt - paused.nanos(),
                        ofLease.contains(Kind.LATE),
                        ofLease.contains(Kind.REJECTED)));
            }
        }
        return pauses;
    }

    private static Map<String, List<Event>> byLock(List<Event> events) {
        Map<String, List<Event>> byLock = new HashMap<>();
        events.forEach(
                e -> byLock.computeIfAbsent(e.lock(), lock -> new ArrayList<>()).add(e));
        return byLock;
    }
}
