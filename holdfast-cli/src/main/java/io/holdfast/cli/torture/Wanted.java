// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.LockOptions;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * What a contender wants next.
 *
 * @param owner on whose behalf, from 1; 0 where that does not count
 */
record Wanted(Habit habit, int lock, Duration ttl, boolean renewed, int owner, Duration patience) {
    private static final List<Duration> LEASES = List.of(
            Duration.ofMillis(700), Duration.ofMillis(1_000), Duration.ofMillis(1_500), Duration.ofMillis(3_000));
    /** The longest a lease lasts that nobody renews. */
    static final Duration LONGEST_LEASE = LEASES.get(LEASES.size() - 1);

    private static final Duration RETENTION = Duration.ofMillis(150);
    private static final int LONGEST_PATIENCE_MILLIS = 2_000;
    /** The same in all processes. */
    private static final int OWNERS = 2;

    static Wanted any(Random random) {
        Habit habit = Habit.any(random);
        return new Wanted(
                habit,
                random.nextInt(Torture.LOCKS),
                LEASES.get(random.nextInt(LEASES.size())),
                habit == Habit.RENEW || (habit == Habit.REENTER && random.nextBoolean()),
                habit == Habit.REENTER ? 1 + random.nextInt(OWNERS) : 0,
                habit == Habit.TRY_ONCE ? Duration.ZERO : Duration.ofMillis(random.nextInt(LONGEST_PATIENCE_MILLIS)));
    }

    /** The same lock for the same owner, without waiting for it. */
    Wanted once() {
        return new Wanted(Habit.TRY_ONCE, lock, ttl, renewed, owner, Duration.ZERO);
    }

    LockOptions options() {
        LockOptions.Builder options = LockOptions.builder()
                .ttl(ttl)
                .renew(renewed)
                .wait(patience)
                .fair(habit == Habit.FAIR)
                .retain(habit == Habit.RETAIN ? RETENTION : Duration.ZERO);
        return (owner == 0 ? options : options.owner("owner-" + owner)).build();
    }

    /** For the history. */
    void describe(Operation operation) {
        operation.record(Kind.LEASE, ttl.toNanos());
        if (renewed) {
            operation.record(Kind.RENEWING, options().renewInterval().toNanos());
        }
        if (owner != 0) {
            operation.record(Kind.OWNED, owner);
        }
    }
}
