// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Findings.Counts;
import io.holdfast.testkit.history.Findings.Worst;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@link Findings} for people. */
final class FindingsText {
    private static final int SHOWN = 10;

    private FindingsText() {}

    static List<String> lines(Findings findings) {
        Counts counts = findings.counts();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d sections, %,d grants, %,d busy, %,d failed, %,d losses",
                counts.sections(),
                counts.grants(),
                counts.busy(),
                counts.failed(),
                counts.losses()));
        for (Property property : Property.values()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-18s %s; %s",
                    property.title(),
                    verdict(findings, property),
                    detail(findings, property)));
        }
        findings.violations().stream()
                .limit(SHOWN)
                .forEach(violation -> lines.add("  ! " + violation.text(findings.startedAt())));
        if (findings.violations().size() > SHOWN) {
            lines.add(String.format(
                    Locale.ROOT, "  ! and %,d more", findings.violations().size() - SHOWN));
        }
        lines.add(findings.holds() ? "OK: every promise was kept." : "FAILED: a promise was broken.");
        return lines;
    }

    private static String verdict(Findings findings, Property property) {
        long broken = property == Property.NOTHING_LEFT
                ? (findings.leftovers().isEmpty() ? 0 : 1)
                : findings.violations(property).size();
        return broken == 0 ? "held" : String.format(Locale.ROOT, "BROKEN %,d times", broken);
    }

    private static String detail(Findings findings, Property property) {
        Counts counts = findings.counts();
        Worst worst = findings.worst();
        return switch (property) {
            case FENCED_WRITES ->
                String.format(Locale.ROOT, "%,d writes accepted, %,d refused", counts.written(), counts.rejected());
            case FENCES ->
                String.format(
                        Locale.ROOT,
                        "%,d grants; %,d late turns or re-entries after data loss, where that is not promised",
                        counts.grants(),
                        notPromised(findings, property));
            case EXCLUSION ->
                String.format(
                        Locale.ROOT,
                        "longest overlap %s; %,d overlaps after data loss, where that is not promised",
                        Violation.millis(longest(findings, property)),
                        notPromised(findings, property));
            case TOLD ->
                String.format(
                        Locale.ROOT,
                        "at worst %s after the end, %s after the removal of the key",
                        Violation.millis(worst.toldAfterExpiry()),
                        Violation.millis(worst.toldAfterRemoval()));
            case FREE ->
                String.format(Locale.ROOT, "at worst %s after a death or loss", Violation.millis(worst.free()));
            case NOTHING_LEFT ->
                String.format(
                        Locale.ROOT,
                        "%,d keys, %,d queue entries, %,d channels, %,d threads",
                        findings.leftovers().keys(),
                        findings.leftovers().queueEntries(),
                        findings.leftovers().channels(),
                        findings.leftovers().threads());
            case ENDS -> String.format(Locale.ROOT, "longest one %s", Violation.millis(longest(findings, property)));
        };
    }

    private static long notPromised(Findings findings, Property property) {
        return findings.notPromised().stream()
                .filter(found -> found.property() == property)
                .count();
    }

    private static long longest(Findings findings, Property property) {
        return findings.violations(property).stream()
                .mapToLong(Violation::nanos)
                .max()
                .orElse(0);
    }
}
