// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one contender did in one turn.
 *
 * @param grants in the measured window
 * @param perSecond of all threads together
 * @param waits nanoseconds from asking to grant
 * @param commands client commands per grant
 * @param serverMicros CPU time of the server per grant
 * @param clientMicros CPU time of all worker processes per grant
 * @param jain fairness between processes, or between threads if there is one process
 * @param overlaps how often two were in the critical section at once
 */
record Turn(
        long grants,
        double perSecond,
        Histogram waits,
        double commands,
        double serverMicros,
        double clientMicros,
        double jain,
        long overlaps) {

    /**
     * What the server had to say.
     *
     * @param seconds length of the measured window
     * @param commands client commands in it
     * @param serverMicros CPU time of the server in it
     */
    record Window(double seconds, double commands, double serverMicros) {}

    static Turn of(List<Share> shares, Window window, long overlaps) {
        long grants = shares.stream().mapToLong(Share::total).sum();
        double cpuNanos = shares.stream().mapToLong(Share::cpuNanos).sum();
        List<Long> counts = shares.size() == 1
                ? shares.get(0).grants()
                : shares.stream().map(Share::total).toList();
        return new Turn(
                grants,
                grants / window.seconds(),
                Share.merge(shares.stream().map(Share::waits).toList()),
                window.commands() / grants,
                window.serverMicros() / grants,
                cpuNanos / 1e3 / grants,
                Statistics.jain(counts),
                overlaps);
    }
}
