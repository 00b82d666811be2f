// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the contract suites can't see: the rest of this store's answers is checked by them. */
class InMemoryBackendTest {
    private static final String TOKEN = "Aa0_-Aa0_-Aa0_-Aa0_-AAinstance_-12.30000~host-a/4711";
    private static final String OWNER = "request-42";

    private final AtomicLong now = new AtomicLong();
    private final InMemoryBackend store = new InMemoryBackend(now::get);

    @Test
    void fence_isADateAndRises() {
        long first = granted(acquire("a", TOKEN + 1, 0));
        long second = granted(acquire("b", TOKEN + 2, 0));

        assertThat(second).isGreaterThan(first);
        assertThat(Instant.EPOCH.plusNanos(TimeUnit.MICROSECONDS.toNanos(first)))
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
    }

    @Test
    void fence_afterDataLoss_isAboveTheFloor() {
        long before = granted(acquire("a", TOKEN, 0)) + 1_000_000;
        store.clear();

        assertThat(granted(acquire("a", TOKEN, before))).isGreaterThan(before);
    }

    @Test
    void fence_floorMoreThanAnHourAhead_isABrokenClientsAndDoesNotCount() {
        long sane = granted(acquire("a", TOKEN + 1, 0));

        assertThat(granted(acquire("b", TOKEN + 2, sane + 3_700_000_000L))).isLessThan(sane + 3_600_000_000L);
    }

    @Test
    void acquire_foreignLockWithoutEnd_isContendedForEver() {
        store.set("a", "of-another-library", 0);
        now.addAndGet(Duration.ofDays(365).toNanos());

        assertThat(acquire("a", TOKEN, 0))
                .isEqualTo(new AcquireReply.Contended("of-another-library", -1, false, false));
    }

    @Test
    void acquire_oursWithALongerLifeThanItsValueNames_isCutDown() {
        store.set("a", TOKEN, 0);

        assertThat(acquire("a", TOKEN.replace("Aa0", "Bb1"), 0))
                .isEqualTo(new AcquireReply.Contended(TOKEN, 30_000, false, false));
        assertThat(store.pttl("a")).isEqualTo(30_000);
    }

    @Test
    void renew_shorter_neverShortensTheKey() {
        acquire("a", TOKEN, -1);

        RenewRequest request = new RenewRequest(name("a"), TOKEN, null, 1_000);
        assertThat(store.renew(List.of(request)).toCompletableFuture().join())
                .containsExactly(new RenewReply.Renewed());
        assertThat(store.pttl("a")).isEqualTo(10_000);
    }

    @Test
    void renew_ofAnOwnersHoldShorter_neverShortensTheHold() {
        hold(TOKEN + 1, 30_000);
        hold(TOKEN + 2, 5_000);
        RenewRequest shorter = new RenewRequest(name("a"), TOKEN + 1, OWNER, 1_000);
        assertThat(store.renew(List.of(shorter)).toCompletableFuture().join())
                .containsExactly(new RenewReply.Renewed());

        assertThat(release(TOKEN + 2)).isTrue();
        assertThat(store.pttl("a")).as("what the other hold counts on").isEqualTo(30_000);
    }

    @Test
    void release_ofAHoldThatEnded_isFalseAndLeavesTheOthers() {
        hold(TOKEN + 1, 1_000);
        hold(TOKEN + 2, 5_000);
        now.addAndGet(Duration.ofSeconds(2).toNanos());

        assertThat(release(TOKEN + 1)).isFalse();
        assertThat(store.pttl("a")).isEqualTo(3_000);
        assertThat(release(TOKEN + 2)).isTrue();
        assertThat(store.keys()).isEmpty();
    }

    @Test
    void locksThatEndedByThemselves_doNotPileUp() {
        for (int i = 0; i < 10_000; i++) {
            acquire("lock-" + i, TOKEN + i, -1);
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        assertThat(store.size()).isLessThan(200);
    }

    private AcquireReply acquire(String key, String token, long floor) {
        AcquireRequest request = new AcquireRequest(name(key), token, 10_000, floor, null, 1, false, false);
        return store.acquire(request).toCompletableFuture().join();
    }

    private void hold(String token, long ttl) {
        AcquireRequest request = new AcquireRequest(name("a"), token, ttl, -1, OWNER, 1, false, false);
        assertThat(granted(store.acquire(request).toCompletableFuture().join())).isZero();
    }

    private boolean release(String token) {
        ReleaseRequest request =
                new ReleaseRequest(name("a"), token, token, OWNER, true, false, null, false, List.of(), List.of());
        return store.release(request).toCompletableFuture().join().released();
    }

    private static LockName name(String key) {
        return new LockName(key, "", "holdfast");
    }

    private static long granted(AcquireReply reply) {
        assertThat(reply).isInstanceOf(AcquireReply.Granted.class);
        return ((AcquireReply.Granted) reply).fenceBase();
    }
}
