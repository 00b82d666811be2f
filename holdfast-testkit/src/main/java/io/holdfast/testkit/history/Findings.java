// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.util.List;

/**
 * What the histories of a run prove.
 *
 * @param counts how much there was to check
 * @param violations promises broken
 * @param notPromised what looks broken and is not promised after the loss of data that went before: two holders within a lease
 *     of it, an owner's re-entry into a hold that came back with old data, and a turn on a grant that a process passed on
 *     before it knew that the key was gone
 * @param worst the longest times among those that were promised to be short
 * @param leftovers what the caller found to be left
 * @param startedAt the first instant recorded
 */
public record Findings(
        Counts counts,
        List<Violation> violations,
        List<Violation> notPromised,
        Worst worst,
        Leftovers leftovers,
        long startedAt) {

    /**
     * How much there was to check.
     *
     * @param sections critical sections entered
     * @param grants acquires that returned a lease
     * @param busy acquires that gave up
     * @param failed calls that did not reach Redis
     * @param losses leases whose holder was told of the loss, or heard of it when it released
     * @param written fenced writes the store took
     * @param rejected fenced writes the store refused
     */
    public record Counts(
            long sections, long grants, long busy, long failed, long losses, long written, long rejected) {}

    /**
     * In nanoseconds, without the time in which a fault excused it; 0 where nothing of the kind happened.
     *
     * @param toldAfterExpiry from the end of a lease's validity until its holder was told
     * @param toldAfterRemoval from the removal of the key until the holder of a renewed lease was told
     * @param free from a holder's death or loss until one who waited had the lock
     */
    public record Worst(long toldAfterExpiry, long toldAfterRemoval, long free) {}

    /** Whether every promise was kept. */
    public boolean holds() {
        return violations.isEmpty() && leftovers.isEmpty();
    }

    /** The violations of one property. */
    public List<Violation> violations(Property property) {
        return violations.stream()
                .filter(violation -> violation.property() == property)
                .toList();
    }

    /** The same findings, and what was found to be left. */
    public Findings with(Leftovers found) {
        return new Findings(counts, violations, notPromised, worst, found, startedAt);
    }

    /** For people: a line for each property, then the first few violations. */
    public List<String> lines() {
        return FindingsText.lines(this);
    }
}
