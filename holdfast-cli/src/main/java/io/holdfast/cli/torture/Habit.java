// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import java.util.Arrays;
import java.util.Random;

/** A way in which applications take locks. A worker's threads have all of them, by chance. */
enum Habit {
    /** One try. */
    TRY_ONCE(6),
    /** Waits for up to two seconds. */
    WAIT(30),
    /** Waits, and has its lease renewed while it works. */
    RENEW(20),
    /** Waits for its turn among all threads of all processes. */
    FAIR(10),
    /** Keeps the lock in the process for a while after it was released. */
    RETAIN(12),
    /** Takes the lock again while it has it, by the id of its owner. */
    REENTER(8),
    /** Asks without blocking, and loses patience in the middle. */
    CANCEL(8),
    /** Waits, and is interrupted. */
    INTERRUPT(6);

    private static final int SUM =
            Arrays.stream(values()).mapToInt(habit -> habit.weight).sum();

    /** How often, beside the others. */
    private final int weight;

    Habit(int weight) {
        this.weight = weight;
    }

    static Habit any(Random random) {
        int left = random.nextInt(SUM);
        for (Habit habit : values()) {
            left -= habit.weight;
            if (left < 0) {
                return habit;
            }
        }
        throw new AssertionError(left);
    }
}
