// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static io.holdfast.benchmarks.Entry.*;

import java.util.List;

/** What is measured: who contends for what, in how many processes and threads. */
enum Scenario {
    OWN_1("own-1", "1 thread, own lock", 1, 1),
    OWN_32("own-32", "32 threads, own locks", 1, 32),
    ONE_16("one-16", "16 threads of one process, one lock", 1, 16),
    TWO_BY_ONE("2x1", "2 processes × 1 thread, one lock", 2, 1),
    FOUR_BY_FOUR("4x4", "4 processes × 4 threads, one lock", 4, 4),
    EIGHT_BY_EIGHT("8x8", "8 processes × 8 threads, one lock", 8, 8),
    FAIR("fair-4x4", "strictly fair, 4 processes × 4 threads, one lock", 4, 4),
    RETAINED("retained", "retained re-acquire, 1 thread", 1, 1),
    SECTION("section-1ms", "critical section of 1 ms, 4 processes × 4 threads, one lock", 4, 4),
    HELD("held", "held leases, renewed at TTL 30 s", 1, 1),
    FIRST_GRANT("first-grant", "first grant after main, fresh JVM", 1, 1);

    private final String label;
    private final String title;
    private final int processes;
    private final int threads;

    Scenario(String label, String title, int processes, int threads) {
        this.label = label;
        this.title = title;
        this.processes = processes;
        this.threads = threads;
    }

    /** The one of that name. */
    static Scenario named(String label) {
        return Choice.of("scenario", label, List.of(values()));
    }

    String title() {
        return title;
    }

    int processes() {
        return processes;
    }

    /** Of each process. */
    int threads() {
        return threads;
    }

    /** Who takes part. */
    List<Entry> entries() {
        return switch (this) {
            case OWN_1, OWN_32 ->
                List.of(
                        HOLDFAST_JEDIS,
                        HOLDFAST_JEDIS_UNFENCED,
                        HAND_JEDIS,
                        HOLDFAST_LETTUCE,
                        HOLDFAST_LETTUCE_UNFENCED,
                        HAND_LETTUCE,
                        REDISSON,
                        REDISSON_FAIR,
                        SPRING_SPIN,
                        SPRING_PUBSUB);
            case ONE_16, TWO_BY_ONE, FOUR_BY_FOUR, EIGHT_BY_EIGHT, SECTION ->
                List.of(
                        HOLDFAST_JEDIS,
                        HOLDFAST_LETTUCE,
                        REDISSON,
                        REDISSON_FAIR,
                        SPRING_SPIN,
                        SPRING_PUBSUB,
                        HAND_JEDIS,
                        HAND_LETTUCE);
            case FAIR -> List.of(HOLDFAST_JEDIS_FAIR, HOLDFAST_LETTUCE_FAIR, REDISSON_FAIR);
            case RETAINED -> List.of(HOLDFAST_JEDIS_RETAINED, HOLDFAST_LETTUCE_RETAINED, REDISSON);
            case HELD -> List.of(HOLDFAST_JEDIS, HOLDFAST_LETTUCE);
            case FIRST_GRANT ->
                List.of(HOLDFAST_JEDIS, HOLDFAST_LETTUCE, REDISSON, SPRING_SPIN, HAND_JEDIS, HAND_LETTUCE);
        };
    }

    /** Whether workers take turns at locks; the others have a measurement of their own. */
    boolean isRace() {
        return this != HELD && this != FIRST_GRANT;
    }

    /** How long the lock is held. */
    long sectionNanos() {
        return this == SECTION ? 1_000_000 : 0;
    }

    /** The lock that a thread uses: its own, or the one for all. */
    int lockOf(int thread) {
        return this == OWN_32 ? thread : 0;
    }

    @Override
    public String toString() {
        return label;
    }
}
