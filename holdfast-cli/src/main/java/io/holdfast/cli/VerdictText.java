// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Claim;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Violation;
import java.util.ArrayList;
import java.util.List;

/** A {@link Verdict} for people. */
final class VerdictText {
    private static final int OVERLAPS_SHOWN = 5;

    private VerdictText() {}

    static List<String> lines(Verdict verdict) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Verdict, from the workers' own histories");
        lines.add(row("critical sections", Format.count(verdict.sections())));
        lines.add(row("overlaps found", Format.count(verdict.overlaps().size())));
        verdict.overlaps().stream().limit(OVERLAPS_SHOWN).forEach(overlap -> lines.add(row("", describe(overlap))));
        lines.add(row(
                "stale writes",
                Format.count(verdict.staleRejected()) + " rejected, " + Format.count(verdict.staleAccepted())
                        + " accepted"));
        lines.add(row(
                "fencing tokens",
                verdict.unordered() == 0
                        ? "rising on every lock"
                        : Format.count(verdict.unordered()) + " not higher than the one before"));
        lines.add(row(
                "hand-over",
                "p50 " + HandOvers.millis(verdict.handOvers(), 50) + " ms, p99 "
                        + HandOvers.millis(verdict.handOvers(), 99) + " ms, of "
                        + Format.count(verdict.handOvers().getTotalCount())));
        verdict.kills().forEach(kill -> lines.addAll(describe(kill)));
        verdict.pauses().forEach(pause -> lines.addAll(describe(pause)));
        if (verdict.failures() > 0) {
            lines.add(row("Redis silent", Format.count(verdict.failures(), "call")));
        }
        lines.add(conclusion(verdict));
        return lines;
    }

    private static String conclusion(Verdict verdict) {
        if (!verdict.isSafe()) {
            return "FAILED: exclusion or fencing was broken.";
        }
        return verdict.isComplete()
                ? "OK: no lock ever had two holders, and no stale write got through."
                : "INCOMPLETE: nothing was broken, but not all of what was to be shown has happened.";
    }

    private static String describe(Violation overlap) {
        return overlap.lock() + ": pids " + overlap.claims().get(0).pid() + " and "
                + overlap.claims().get(1).pid() + " for " + Format.millis(overlap.nanos()) + " ms";
    }

    private static List<String> describe(Verdict.Kill kill) {
        Claim claim = kill.claim();
        String back = back(kill);
        long left = claim.from() + Demo.TTL.toNanos() - kill.killedAt();
        return List.of(
                row("killed holder", "pid " + claim.pid() + " held " + claim.lock() + "; " + back),
                row("", "(TTL " + ms(Demo.TTL.toNanos()) + ", of which " + ms(left) + " were left at the kill)"));
    }

    private static String back(Verdict.Kill kill) {
        Long nextGrant = kill.nextGrant();
        if (nextGrant == null) {
            return "it never came back";
        }
        return nextGrant > kill.killedAt()
                ? "it came back after " + ms(nextGrant - kill.killedAt())
                : "so did another already";
    }

    private static List<String> describe(Verdict.Pause pause) {
        Event paused = pause.paused();
        return List.of(
                row(
                        "paused holder",
                        "pid " + paused.pid() + " held " + paused.lock() + " and stood still for " + ms(pause.nanos())),
                row(
                        "",
                        (pause.toldLost() ? "told that it lost the lock" : "NOT told that it lost the lock")
                                + "; its late write was "
                                + (pause.rejected() ? "rejected" : "NOT rejected")));
    }

    private static String ms(long nanos) {
        return Format.millis(nanos) + " ms";
    }

    private static String row(String name, String value) {
        return String.format("  %-18s %s", name, value).stripTrailing();
    }
}
