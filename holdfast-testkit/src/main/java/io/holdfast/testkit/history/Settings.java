// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How strictly to judge.
 *
 * @param slack what a busy machine may add to any bound on time, also on that until which a process may not have noticed that
 *     its key was removed; safety knows no other slack
 * @param commandTimeout how much longer than its wait an acquire may take because its last command is under way
 * @param withoutExclusion faults after which, for one lease, two holders are counted apart and not as a violation
 */
public record Settings(Duration slack, Duration commandTimeout, Set<Fault> withoutExclusion) {

    /** A copy of the set. */
    public Settings {
        withoutExclusion = Set.copyOf(withoutExclusion);
    }

    /** One primary; 1 s of slack, a command timeout of 2 s. */
    public static Settings standard() {
        return new Settings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Stream.of(Fault.values())
                        .filter(fault -> !fault.keepsExclusion())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** The same with another slack. */
    public Settings withSlack(Duration other) {
        return new Settings(other, commandTimeout, withoutExclusion);
    }
}
