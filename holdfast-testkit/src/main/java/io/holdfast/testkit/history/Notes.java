// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.Findings.Counts;
import io.holdfast.testkit.history.Findings.Worst;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the checks note down while they go through the locks. */
final class Notes {
    private final List<Violation> violations = new ArrayList<>();
    private final List<Violation> notPromised = new ArrayList<>();
    long toldAfterExpiry;
    long toldAfterRemoval;
    long free;
    long losses;

    void violation(Property property, String what, Span span, Acquire... whom) {
        violations.add(new Violation(property, what, span.at, span.nanos, claims(whom)));
    }

    void notPromised(Property property, String what, Span span, Acquire... whom) {
        notPromised.add(new Violation(property, what, span.at, span.nanos, claims(whom)));
    }

    /** An instant, and how long it took. */
    record Span(long at, long nanos) {
        static Span at(long at) {
            return new Span(at, 0);
        }
    }

    private static List<Claim> claims(Acquire... whom) {
        return Stream.of(whom).map(Acquire::claim).toList();
    }

    Findings findings(Run run) {
        Comparator<Violation> byTime = Comparator.comparingLong(Violation::at);
        return new Findings(
                new Counts(
                        run.count(Kind.ENTERED),
                        run.count(Kind.GRANTED),
                        run.count(Kind.BUSY),
                        run.count(Kind.FAILED) + run.count(Kind.UNKNOWN),
                        losses,
                        run.count(Kind.WRITTEN),
                        run.count(Kind.REJECTED)),
                violations.stream().sorted(byTime).toList(),
                notPromised.stream().sorted(byTime).toList(),
                new Worst(toldAfterExpiry, toldAfterRemoval, free),
                Leftovers.NONE,
                run.firstInstant());
    }
}
