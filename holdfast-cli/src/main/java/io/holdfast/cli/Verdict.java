// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.cli.Event.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the histories of a run prove. A pure function of them: nothing the demo believed while it ran goes in.
 *
 * @param sections critical sections entered
 * @param overlaps times at which two leases of one lock claimed to be valid
 * @param unordered leases whose fencing token was not higher than that of the lease before
 * @param staleAccepted writes taken after one with a higher token had been taken
 * @param staleRejected writes the store refused
 * @param failures calls that did not reach Redis
 * @param handOvers nanoseconds from release to the grant of one who waited, all locks together
 * @param kills what became of the locks that killed processes held
 * @param pauses what became of the leases that paused processes held
 */
record Verdict(
        long sections,
        List<Overlap> overlaps,
        long unordered,
        long staleAccepted,
        long staleRejected,
        long failures,
        Histogram handOvers,
        List<Kill> kills,
        List<Pause> pauses) {

    /** Two claims on one lock at one time. */
    record Overlap(Claim first, Claim second) {
        long nanos() {
            return Math.min(first.until(), second.until()) - second.from();
        }
    }

    /** A lock whose holder was killed; {@code nextGrant} is null if nobody got it any more. */
    record Kill(Claim claim, long killedAt, @Nullable Long nextGrant) {}

    /** A lease whose holder was paused: whether it learned of the loss, and what the store said to its late write. */
    record Pause(Event paused, long nanos, boolean toldLost, boolean rejected) {}

    static Verdict of(List<Event> events) {
        Map<String, List<Claim>> claims = Claim.byLock(events);
        Histogram handOvers = new HandOvers().nanos();
        byLock(events).values().forEach(ofOneLock -> handOvers.add(HandOvers.of(ofOneLock)));
        return new Verdict(
                count(events, Kind.ENTERED),
                claims.values().stream().flatMap(c -> overlaps(c).stream()).toList(),
                claims.values().stream().mapToLong(Verdict::unordered).sum(),
                byLock(events).values().stream()
                        .mapToLong(Writes::staleAccepted)
                        .sum(),
                count(events, Kind.REJECTED),
                count(events, Kind.FAILED),
                handOvers,
                kills(events, claims.values()),
                pauses(events));
    }

    /** Whether exclusion and fencing held; says nothing about whether locks came back. */
    boolean isSafe() {
        return overlaps.isEmpty() && unordered == 0 && staleAccepted == 0;
    }

    /** Whether there were both, and every killed holder's lock was granted again, every paused holder told and refused. */
    boolean isComplete() {
        return !kills.isEmpty()
                && !pauses.isEmpty()
                && kills.stream().allMatch(kill -> kill.nextGrant != null)
                && pauses.stream().allMatch(pause -> pause.toldLost && pause.rejected);
    }

    /** Sweeps over claims sorted by their start, against the one that reaches furthest so far. */
    private static List<Overlap> overlaps(List<Claim> sorted) {
        List<Overlap> found = new ArrayList<>();
        Claim furthest = null;
        for (Claim claim : sorted) {
            if (furthest != null && claim.from() < furthest.until()) {
                found.add(new Overlap(furthest, claim));
            }
            if (furthest == null || claim.until() > furthest.until()) {
                furthest = claim;
            }
        }
        return found;
    }

    private static long unordered(List<Claim> sorted) {
        long found = 0;
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).token() <= sorted.get(i - 1).token()) {
                found++;
            }
        }
        return found;
    }

    private static List<Kill> kills(List<Event> events, Collection<List<Claim>> claims) {
        List<Kill> kills = new ArrayList<>();
        for (Event kill : events) {
            if (kill.kind() == Kind.KILLED && !kill.lock().equals(Event.NO_LOCK)) {
                claims.stream()
                        .flatMap(List::stream)
                        .filter(claim -> claim.pid() == kill.pid() && claim.diedHolding())
                        .forEach(claim -> kills.add(new Kill(claim, kill.nanos(), nextGrant(events, claim))));
            }
        }
        return kills;
    }

    private static @Nullable Long nextGrant(List<Event> events, Claim claim) {
        return events.stream()
                .filter(e -> e.kind() == Kind.GRANTED && e.lock().equals(claim.lock()) && e.nanos() > claim.from())
                .filter(e -> e.token() != claim.token())
                .map(Event::nanos)
                .min(Long::compare)
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
                        .filter(e -> e.token() == paused.token())
                        .map(Event::kind)
                        .toList();
                pauses.add(new Pause(
                        paused,
                        resumedAt - paused.nanos(),
                        ofLease.contains(Kind.LOST),
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

    private static long count(List<Event> events, Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).count();
    }
}
