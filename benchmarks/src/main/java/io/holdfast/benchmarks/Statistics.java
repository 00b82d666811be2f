// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.List;
import java.util.stream.DoubleStream;

/** What is computed from many rounds. */
final class Statistics {
    private Statistics() {}

    /**
     * The middle of several figures and how far they go.
     *
     * @param median the middle one, or between the two middle ones
     */
    record Spread(double median, double min, double max) {}

    static Spread spread(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        if (sorted.length == 0) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Jain's fairness index: 1 when all got the same, 1/n when one got all. Nothing for nobody is not fair: NaN. */
    static double jain(List<Long> counts) {
        double sum = counts.stream().mapToDouble(Long::doubleValue).sum();
        double squares =
                counts.stream().mapToDouble(count -> (double) count * count).sum();
        return sum * sum / (counts.size() * squares);
    }
}
