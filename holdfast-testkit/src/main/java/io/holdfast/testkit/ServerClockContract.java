// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose wall clock, by which it lets keys expire, jumps: ahead, and locks end early; back, and they would not end. */
@NullUnmarked
public abstract class ServerClockContract extends ProtocolContract {
    private static final Duration AHEAD = Duration.ofMinutes(1);
    private static final Duration BACK = Duration.ofMinutes(-2);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration TTL = Duration.ofMillis(1_500);
    /** What a waiter may need beyond the TTL, on a busy machine. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final String FENCE_CHECK = "if last and last > fence then return 0 end";
    private static final String CLAMP = "if most and (left == -1 or left > most) then";

    private SteppableServer stepped;

    @Override
    protected EmbeddedRedis server() {
        stepped = SteppableServer.start();
        return stepped.server();
    }

    @AfterEach
    void closeClock() {
        if (stepped != null) { // skipped where there is none
            stepped.close();
        }
    }

    private Holdfast without(String defence, String instead) {
        return another(builder -> builder.connector(
                new RewritingConnector(target().connect().apply(redis().address()), defence, instead)));
    }

    @Test
    void clockAhead_losesTheLockAndTheHolderIsToldAndItsLateWriteIsRefused() {
        Duration ttl = Duration.ofSeconds(6);
        Lease first = locks.lock(key, options -> options.ttl(ttl).renew(true)).acquire();
        AtomicLong toldAt = new AtomicLong();
        first.onLost(reason -> toldAt.set(System.nanoTime()));
        FencedStore store = locks.fencedStore();
        assertThat(store.set("row:" + key, "first", first.fencingToken())).isTrue();

        long steppedAt = System.nanoTime();
        stepped.setClock(AHEAD);
        Lease second = another().lock(key, options -> options.ttl(ttl)).acquire(ttl);

        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(store.set("row:" + key, "second", second.fencingToken())).isTrue();
        assertThat(store.set("row:" + key, "late", first.fencingToken())).isFalse();
        assertThat(store.get("row:" + key)).contains("second");
        await().until(() -> toldAt.get() != 0);
        assertThat(first.lostReason()).contains(LostReason.GONE);
        assertThat(Duration.ofNanos(toldAt.get() - steppedAt))
                .as("by the next renewal")
                .isLessThan(ttl.dividedBy(3).plus(GRACE));
        assertThat(second.release()).isTrue();

        stepped.setClock(Duration.ZERO);
        assertThat(another().tryLock(key, ttl).orElseThrow().fencingToken())
                .as("also when the clock is put right")
                .isGreaterThan(second.fencingToken());
    }

    @Test
    void clockAhead_withoutTheFence_aLateWriteIsTaken() {
        Holdfast unchecked = without(FENCE_CHECK, "");
        Lease first = unchecked.tryLock(key, LONG).orElseThrow();
        FencedStore store = unchecked.fencedStore();

        stepped.setClock(AHEAD);
        Lease second = another().tryLock(key, LONG).orElseThrow();
        assertThat(store.set("row:" + key, "second", second.fencingToken())).isTrue();

        assertThat(store.set("row:" + key, "late", first.fencingToken()))
                .as("the violation")
                .isTrue();
        assertThat(store.get("row:" + key)).contains("late");
    }

    /** Kinds of lock that are acquired by scripts of their own. */
    enum Kind {
        PLAIN,
        FAIR,
        OWNER;

        LockOptions.Builder of(LockOptions.Builder options) {
            return switch (this) {
                case PLAIN -> options;
                case FAIR -> options.fair(true);
                case OWNER -> options.owner("somebody else");
            };
        }
    }

    private Optional<Lease> takeAfterACrash(Holdfast waiter, Kind kind, Duration wait) {
        ready(waiter);
        locks.lock(key, options -> options.ttl(TTL).owner("crashed")).acquire(LONG);
        stepped.setClock(BACK);
        assertThat(raw().pttl(lockKey())).as("as the server sees it").isGreaterThan(100_000);
        return waiter.lock(key, options -> kind.of(options.ttl(TTL))).tryAcquire(wait);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void clockBack_aWaiterGetsADeadHoldersLockAfterTheTtl(Kind kind) {
        assertThat(takeAfterACrash(another(), kind, TTL.plus(GRACE))).isPresent();
    }

    @Test
    void clockBack_withoutTheClamp_aWaiterWaitsInVain() {
        Holdfast unclamped = without(CLAMP, "if false then");
        assertThat(takeAfterACrash(unclamped, Kind.PLAIN, TTL.plusMillis(500)))
                .as("the violation")
                .isEmpty();
        assertThat(raw().pttl(lockKey())).isGreaterThan(100_000);
    }

    @Test
    void clockBack_aLivingHolderKeepsItsLock() {
        Duration ttl = Duration.ofSeconds(10);
        Lease held = locks.lock(key, options -> options.ttl(ttl).renew(true).renewEvery(ms(100)))
                .acquire();
        stepped.setClock(BACK);
        assertThat(another().tryLock(key, TTL, ms(500))).isEmpty();
        assertThat(backdoor.pttl(lockKey())).as("cut down").isBetween(1L, ttl.toMillis());
        awaitRenewal(lockKey(), ttl);
        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isTrue();
    }
}
