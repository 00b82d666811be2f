// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fenced writes in plain Java. With leases of real locks: {@code FencedWriteContract}. */
class FencedValueTest {
    /** Above what a double can tell apart, as real tokens are. */
    private static final long TOKEN = 1_760_000_000_000_000L << 10;

    private static final int THREADS = 16;
    private static final int WRITES = 20_000;

    @Test
    void get_beforeTheFirstWrite_isTheInitialValue() {
        assertThat(new FencedValue<>("NEW").get()).isEqualTo("NEW");
        assertThat(new FencedValue<@Nullable String>(null).get()).isNull();
    }

    @Test
    void set_refusesALowerTokenAndAcceptsAnEqualOne() {
        FencedValue<String> status = new FencedValue<>("NEW");

        assertThat(status.set("PAID", TOKEN + 1)).isTrue();
        assertThat(status.set("SHIPPED", TOKEN + 1))
                .as("the holder's second write")
                .isTrue();
        assertThat(status.set("stale", TOKEN)).isFalse();
        assertThat(status.get()).isEqualTo("SHIPPED");
        assertThat(status.set("DONE", TOKEN + 2)).isTrue();
        assertThat(status.set("stale", TOKEN + 1))
                .as("the former holder's third write")
                .isFalse();
        assertThat(status.get()).isEqualTo("DONE");
    }

    @Test
    void set_ofAWriterWithoutAToken_isRefused() {
        FencedValue<String> status = new FencedValue<>("NEW");

        assertThat(status.set("stale", -1)).isFalse();
        assertThat(status.get()).isEqualTo("NEW");
    }

    @Test
    void set_byManyThreadsAtOnce_neverTakesAnOlderWriteAfterANewer() throws Exception {
        FencedValue<Long> value = new FencedValue<>(0L); // each writes its own token
        AtomicLong grants = new AtomicLong();
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService writers = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<Optional<String>>> wrong = IntStream.range(0, THREADS)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> firstFault(value, grants, start), writers))
                    .toList();

            assertThat(wrong)
                    .allSatisfy(fault ->
                            assertThat(fault.get()).as("the first fault").isEmpty());
        } finally {
            writers.shutdownNow();
        }
        assertThat(value.get()).as("the last holder's").isEqualTo((long) THREADS * WRITES);
    }

    /** Takes a token and writes, time and again: what it sees must be its own write or a newer holder's, and never go back. */
    private static Optional<String> firstFault(FencedValue<Long> value, AtomicLong grants, CyclicBarrier start) {
        Optional<String> fault = Optional.empty();
        long last = 0;
        await(start);
        for (int i = 0; i < WRITES; i++) {
            long token = grants.incrementAndGet();
            boolean accepted = value.set(token, token);
            long seen = value.get();
            if (fault.isEmpty() && (seen < last || seen < token || (!accepted && seen == token))) {
                fault = Optional.of(seen + " after " + last + "; token " + token + " was accepted: " + accepted);
            }
            last = seen;
        }
        return fault;
    }

    private static void await(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
