// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static io.holdfast.benchmarks.Entry.*;

import java.util.List;

/** What is measured: who contends for what, in how many processes and threads. */
enum Scenario {
    OWN_1("own-1", "1 thread, own lock", new Size(1, 1), Field.uncontended()),
    OWN_32("own-32", "32 threads, own locks", new Size(1, 32), Field.uncontended()),
    ONE_16("one-16", "16 threads of one process, one lock", new Size(1, 16), Field.contended()),
    TWO_BY_ONE("2x1", "2 processes × 1 thread, one lock", new Size(2, 1), Field.contended()),
    FOUR_BY_FOUR("4x4", "4 processes × 4 threads, one lock", new Size(4, 4), Field.contended()),
    EIGHT_BY_EIGHT("8x8", "8 processes × 8 threads, one lock", new Size(8, 8), Field.contended()),
    FAIR("fair-4x4", "strictly fair, 4 processes × 4 threads, one lock", new Size(4, 4), Field.FAIR),
    RETAINED("retained", "retained re-acquire, 1 thread", new Size(1, 1), Field.RETAINED),
    SECTION(
            "section-1ms",
            "critical section of 1 ms, 4 processes × 4 threads, one lock",
            new Size(4, 4),
            Field.contended()),
    HELD("held", "held leases, renewed at TTL 30 s", new Size(1, 1), Field.HELD),
    FIRST_GRANT("first-grant", "first grant after main, fresh JVM", new Size(1, 1), Field.everyLibrary());

    private final String label;
    private final String title;
    private final Size size;
    private final List<Entry> entries;

    Scenario(String label, String title, Size size, List<Entry> entries) {
        this.label = label;
        this.title = title;
        this.size = size;
        this.entries = entries;
    }

    /** The one of that name. */
    static Scenario named(String label) {
        return Choice.of("scenario", label, List.of(values()));
    }

    String title() {
        return title;
    }

    int processes() {
        return size.processes();
    }

    /** Of each process. */
    int threads() {
        return size.threads();
    }

    List<Entry> entries() {
        return entries;
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

    private record Size(int processes, int threads) {}

    /** Who takes part in what. */
    private static final class Field {
        static final List<Entry> FAIR = List.of(HOLDFAST_JEDIS_FAIR, HOLDFAST_LETTUCE_FAIR, REDISSON_FAIR);
        static final List<Entry> RETAINED = List.of(HOLDFAST_JEDIS_RETAINED, HOLDFAST_LETTUCE_RETAINED, REDISSON);
        static final List<Entry> HELD = List.of(HOLDFAST_JEDIS, HOLDFAST_LETTUCE);

        private Field() {}

        static List<Entry> uncontended() {
            return List.of(
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
        }

        static List<Entry> contended() {
            return List.of(
                    HOLDFAST_JEDIS,
                    HOLDFAST_LETTUCE,
                    REDISSON,
                    REDISSON_FAIR,
                    SPRING_SPIN,
                    SPRING_PUBSUB,
                    HAND_JEDIS,
                    HAND_LETTUCE);
        }

        static List<Entry> everyLibrary() {
            return List.of(HOLDFAST_JEDIS, HOLDFAST_LETTUCE, REDISSON, SPRING_SPIN, HAND_JEDIS, HAND_LETTUCE);
        }
    }
}
