// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.cli.Format;
import io.holdfast.testkit.history.Findings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to.
 *
 * @param injected how often each ordeal struck
 * @param kept where the records are, if they were kept
 */
record Outcome(
        long seed,
        Findings findings,
        Map<Ordeal, Integer> injected,
        Rates rates,
        @Nullable Path kept) {

    /** Leases a second without faults, before the first and after the last of them. */
    record Rates(double before, double after) {}

    boolean holds() {
        return findings.holds();
    }

    /** The verdict, for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        int faults = injected.values().stream().mapToInt(Integer::intValue).sum();
        lines.add("");
        lines.add(Format.count(faults, "fault") + ": "
                + injected.entrySet().stream()
                        .map(entry -> entry.getKey().label() + " " + entry.getValue())
                        .collect(Collectors.joining(", ")));
        lines.add("leases a second without faults: " + Format.count(Math.round(rates.before)) + " before, "
                + Format.count(Math.round(rates.after)) + " after");
        lines.addAll(findings.lines());
        if (kept != null) {
            lines.add("The records are in " + kept);
        }
        if (!holds()) {
            lines.add("The same faults again: the same options, and --seed " + seed);
        }
        return lines;
    }
}
