// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.orders;

import io.holdfast.cli.Format;
import java.util.ArrayList;
import java.util.List;

/** What customers were told, and whether it is as it should be. Thread-safe. */
final class Tally {
    // Guarded by this.
    private long orders;
    private long createdOnce;
    private long paidOnce;
    private long createRefused;
    private long payRefused;
    private long odd;

    /** The answers to one order pressed several times. */
    synchronized void created(List<Integer> statuses) {
        orders++;
        createdOnce += statuses.stream().filter(status -> status == 201).count() == 1 ? 1 : 0;
        createRefused += refused(statuses);
        odd += statuses.stream()
                .filter(status -> status != 201 && status != 409)
                .count();
    }

    /** The answers to one payment pressed several times. */
    synchronized void paid(List<Integer> statuses) {
        paidOnce += statuses.stream().filter(status -> status == 200).count() == 1 ? 1 : 0;
        payRefused += refused(statuses);
        odd += statuses.stream()
                .filter(status -> status != 200 && status != 409)
                .count();
    }

    private static long refused(List<Integer> statuses) {
        return statuses.stream().filter(status -> status == 409).count();
    }

    synchronized String progress() {
        return Format.count(orders, "order") + ": " + Format.count(createdOnce) + " made once, "
                + Format.count(paidOnce) + " paid once, " + Format.count(createRefused + payRefused)
                + " duplicates refused (409)";
    }

    /** No order twice, none lost, and no answer but yes and busy. */
    synchronized boolean isGood() {
        return orders > 0 && createdOnce == orders && paidOnce == orders && odd == 0;
    }

    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(Format.count(orders, "order") + " placed: " + Format.count(createdOnce) + " made exactly once, "
                + Format.count(createRefused, "duplicate") + " refused");
        lines.add(Format.count(orders, "payment") + ": " + Format.count(paidOnce) + " made exactly once, "
                + Format.count(payRefused, "duplicate") + " refused");
        if (odd > 0) {
            lines.add(Format.count(odd, "answer") + " that were neither yes nor 409");
        }
        lines.add(isGood() ? "OK: every order was made once and paid once." : "FAILED: see above.");
        return lines;
    }
}
