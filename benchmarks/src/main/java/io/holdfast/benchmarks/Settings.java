// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a run is asked to do.
 *
 * @param scenarios in the order of their measurement
 * @param contenders those who take part where the scenario has them; empty for all
 * @param rounds how often each contender has its turn
 * @param pace how long a turn takes
 * @param quick whether this is only to see that all works
 */
record Settings(List<Scenario> scenarios, List<Entry> contenders, int rounds, Team.Pace pace, boolean quick) {

    /** Who takes part in a scenario: its own field, and the negative control if asked for. */
    List<Entry> entries(Scenario scenario) {
        Stream<Entry> control = scenario.isRace() ? Stream.of(Entry.UNLOCKED) : Stream.empty();
        return Stream.concat(scenario.entries().stream(), control)
                .filter(entry -> contenders.isEmpty() ? entry != Entry.UNLOCKED : contenders.contains(entry))
                .toList();
    }

    /**
     * Rounds up to 0 do not count: the JVMs must be warm, also after each contender has undone what the compilers made of the
     * others. A quick run has time for one, when they are coldest.
     */
    int firstRound(Scenario scenario) {
        return !quick ? -2 : scenario == scenarios.get(0) ? 0 : 1;
    }

    /** Rounds that do not count are long: compilers get little of two cores while everybody works. */
    Team.Pace pace(int round) {
        return quick || round > 0
                ? pace
                : new Team.Pace(pace.warmUp(), pace.turn().multipliedBy(3));
    }

    /** For the workers. A quick run does not last long enough for the second compiler, and has it out of the way. */
    List<String> jvmOptions() {
        return quick ? List.of("-Xmx256m", "-XX:TieredStopAtLevel=1") : List.of("-Xmx256m");
    }

    /** How many leases {@link Scenario#HELD} holds. */
    int leases() {
        return quick ? 20_000 : 100_000;
    }

    /** How long: more than a TTL, or, in a quick run, a renewal of each. */
    Duration holding() {
        return Duration.ofSeconds(quick ? 10 : 40);
    }

    /** Whether all was measured that there is, and at length. */
    boolean isComplete() {
        return !quick && contenders.isEmpty() && scenarios.equals(List.of(Scenario.values()));
    }
}
