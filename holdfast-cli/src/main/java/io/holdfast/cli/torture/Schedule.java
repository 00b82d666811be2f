// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Which ordeal comes when, and for how long: the same for the same seed. Every one comes once before any comes again, in an
 * order that differs each time. Not thread-safe.
 */
final class Schedule {
    private static final int SHORTEST_CALM_MILLIS = 200;
    private static final int LONGEST_CALM_MILLIS = 1_800;

    private final List<Ordeal> ordeals;
    private final Random random;
    private final List<Ordeal> left = new ArrayList<>();

    Schedule(List<Ordeal> ordeals, long seed) {
        this.ordeals = List.copyOf(ordeals);
        this.random = new Random(seed);
    }

    /**
     * One of them.
     *
     * @param calmNanos how long nothing happens before it
     * @param lastsNanos how long it lasts
     * @param choice picks its victim, where there is more than one
     */
    record Step(Ordeal ordeal, long calmNanos, long lastsNanos, int choice) {}

    Step next() {
        if (left.isEmpty()) {
            left.addAll(ordeals);
            Collections.shuffle(left, random);
        }
        Ordeal ordeal = left.remove(left.size() - 1);
        return new Step(
                ordeal,
                between(SHORTEST_CALM_MILLIS, LONGEST_CALM_MILLIS),
                between(ordeal.shortestMillis(), ordeal.longestMillis()),
                random.nextInt(Integer.MAX_VALUE));
    }

    private long between(int shortestMillis, int longestMillis) {
        return TimeUnit.MILLISECONDS.toNanos(shortestMillis + random.nextInt(longestMillis - shortestMillis + 1));
    }
}
