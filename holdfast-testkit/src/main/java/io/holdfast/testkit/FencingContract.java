// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Fencing tokens: unique and rising with every grant, whatever happened to the server's data (S3). */
public abstract class FencingContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String FENCE = "holdfast:fence";

    private long next(LockManager process) {
        try (Lease lease = process.tryLock(key, TTL).orElseThrow()) {
            return lease.fencingToken();
        }
    }

    /** The base of the next grant if nothing but the clock decided. */
    private long serverMicros() {
        List<?> time = (List<?>) Objects.requireNonNull(raw().call("TIME"));
        return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
    }

    @Test
    void token_isTheBaseInTheValueShiftedByTenBits() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        long base = Long.parseLong(lease.token().replaceAll("^.*#", ""));
        assertThat(lease.fencingToken()).isEqualTo(base << 10);
        assertThat(backdoor.get(FENCE)).isEqualTo(Long.toString(base));
        assertThat(base).isBetween(serverMicros() - 60_000_000, serverMicros() + 60_000_000);
    }

    @Test
    void tokens_riseWithEveryGrantOfEveryProcess() {
        Holdfast other = another();
        long last = 0;
        for (int i = 0; i < 20; i++) {
            long token = next(i % 2 == 0 ? locks : other);
            assertThat(token).isGreaterThan(last);
            last = token;
        }
    }

    @Test
    void tokens_ofManyLocksAtOnce_areUnique() {
        Set<Long> tokens = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 200)
                .parallel()
                .forEach(i -> assertThat(tokens.add(
                                locks.tryLock(key + ":" + i, TTL).orElseThrow().fencingToken()))
                        .isTrue());
        assertThat(tokens).hasSize(200);
    }

    @Test
    void tokens_riseAfterAllDataWasLost() {
        long first = next(locks);
        backdoor.flush();
        long second = next(another());
        backdoor.flush();
        assertThat(second).isGreaterThan(first);
        assertThat(next(locks)).isGreaterThan(second);
    }

    @Test
    void tokens_riseAfterTheCounterWasDeletedOrSpoilt() {
        long first = next(locks);
        backdoor.delete(FENCE);
        long second = next(another());
        assertThat(second).isGreaterThan(first);
        backdoor.set(FENCE, "not a number", 0);
        long third = next(another());
        assertThat(third).isGreaterThan(second);
        backdoor.set(FENCE, "7", 0);
        assertThat(next(another())).isGreaterThan(third);
    }

    @Test
    void counter_ofAnotherType_isAnErrorAndTheLockIsNotTaken() {
        backdoor.delete(FENCE);
        raw().call("HSET", FENCE, "a", "b");
        try {
            assertThatThrownBy(() -> locks.tryLock(key, TTL)).isInstanceOf(LockBackendException.class);
            assertThat(backdoor.exists(lockKey())).as("the fence comes first").isFalse();
        } finally {
            backdoor.delete(FENCE);
        }
    }

    @Test
    void tokens_riseFromACounterAheadOfTheClock() {
        long ahead = serverMicros() + Duration.ofMinutes(10).toNanos() / 1000;
        backdoor.set(FENCE, Long.toString(ahead), 0);
        try {
            assertThat(next(locks)).isEqualTo((ahead + 1) << 10);
            assertThat(next(another())).isEqualTo((ahead + 2) << 10);
            backdoor.delete(FENCE);
            assertThat(next(locks))
                    .as("a client that has seen the higher ones says so")
                    .isGreaterThan((ahead + 1) << 10);
        } finally {
            backdoor.delete(FENCE);
        }
    }

    @Test
    void tokens_riseAboveTheHighestSeenAlsoWhenAnEarlierGrantIsToldLater() {
        long ahead = serverMicros() + Duration.ofMinutes(10).toNanos() / 1000;
        backdoor.set(FENCE, Long.toString(ahead), 0);
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().delayReply(Duration.ofMillis(500));
        Holdfast process = behind(network);
        try {
            CompletableFuture<Lease> slow =
                    process.lock(key + ":slow", options -> options.ttl(TTL)).acquireAsync();
            await().until(() -> Long.toString(ahead + 1).equals(backdoor.get(FENCE)));
            long highest = next(process);
            assertThat(slow.join().fencingToken()).isLessThan(highest);
            backdoor.delete(FENCE);
            assertThat(next(process)).isGreaterThan(highest);
        } finally {
            backdoor.delete(FENCE);
        }
    }

    @Test
    void tokens_doNotFollowAClientThatIsMoreThanAnHourAhead() {
        long broken = serverMicros() + Duration.ofHours(2).toNanos() / 1000;
        backdoor.set(FENCE, Long.toString(broken), 0);
        try {
            assertThat(next(locks)).isEqualTo((broken + 1) << 10);
        } finally {
            backdoor.delete(FENCE);
        }
        assertThat(next(locks)).as("the counter is repaired by deleting it").isLessThan(broken << 10);
    }

    @Test
    void tokens_riseAfterARestartWithoutData() {
        try (EmbeddedRedis own = target().version().builder().start();
                RedisFixture elsewhere = on(own)) {
            Holdfast process = at(elsewhere.address());
            long first = next(process);
            own.restart();
            assertThat(process.lock(key, options -> options.ttl(TTL))
                            .acquire(Duration.ofSeconds(20))
                            .fencingToken())
                    .isGreaterThan(first);
        }
    }

    @Test
    void counter_isOneKeyForAllLocksOfANameSpace() {
        String prefix = "space-" + key;
        Holdfast process = another(builder -> builder.keyPrefix(prefix));
        for (int i = 0; i < 30; i++) {
            process.withLock("order:" + i, TTL, () -> {});
            process.lock("order:" + i, options -> options.owner("o")).withLock(() -> {});
        }
        assertThat(backdoor.keysContaining(prefix)).containsExactly(prefix + ":fence");
    }

    @Test
    void token_ofALostLease_staysItsOwn() {
        Lease stale = locks.tryLock(key, TTL).orElseThrow();
        long own = stale.fencingToken();
        backdoor.delete(lockKey());
        long successor = another().tryLock(key, TTL).orElseThrow().fencingToken();

        assertThat(stale.renew(TTL)).isFalse();
        assertThat(stale.fencingToken()).isEqualTo(own).isLessThan(successor);
    }

    @Test
    void token_withFencingOff_isRefused() {
        Lease lease = locks.lock(key, options -> options.fencing(false)).acquire();
        assertThat(lease.token()).doesNotContain("#");
        assertThatThrownBy(lease::fencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fencing");
    }
}
