// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lock that the server loses while it is held, by command, by eviction or by a restart without data: told within a renewal
 * interval (P3), and whoever writes late is refused, for tokens go on rising (P1). Rows 11, 12 and 16 of the matrix of faults.
 */
@NullUnmarked
public abstract class DataLossContract extends WaitingContract {
    private static final Duration LEASE = ms(3_000);
    /** A renewal interval and the answer, on a busy machine. */
    private static final Duration AT_ONCE = LEASE.dividedBy(3).plusMillis(500);

    /** How somebody takes the lock away. */
    enum Removal {
        DEL,
        FLUSHALL
    }

    private final List<LostReason> told = new CopyOnWriteArrayList<>();
    private final AtomicLong toldAt = new AtomicLong();
    private volatile boolean heldWhenTold;
    private FencedStore store;
    private String row;

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    /** The register is on another server, which keeps its data. */
    @BeforeEach
    void openStore() {
        row = "row:" + key;
        EmbeddedRedis elsewhere = target().version().shared();
        store = at(RedisAddress.parse(elsewhere.uri()).withTimeout(RedisFixture.PATIENT))
                .fencedStore();
    }

    @ParameterizedTest
    @EnumSource
    void lockRemoved_renewedAndWaitedFor_isToldAtOnceAndTheWaiterFollows(Removal how) {
        Lease lease = renewed(locks);
        CompletableFuture<Lease> waiter = queue(listener());

        long removed = remove(how);
        Lease next = granted(waiter);

        assertThat(Duration.ofNanos(System.nanoTime() - removed))
                .as("found by a poll")
                .isLessThan(ms(2_200 + 1_800));
        isToldAtOnce(removed);
        onlyTheNextWrites(lease, next);
        assertThat(next.release()).isTrue();
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void lockRemoved_notRenewed_isToldByItsEndOrByItsRelease(Removal how) {
        Lease lease = listened(locks.tryLock(key, ms(1_000)).orElseThrow());
        Lease released = locks.tryLock(key + ":released", LEASE).orElseThrow();
        long start = System.nanoTime();
        remove(how);
        backdoor.delete(lockKey() + ":released");
        Lease next = another().tryLock(key, LEASE).orElseThrow();

        onlyTheNextWrites(lease, next);
        assertThat(released.release()).isFalse();
        await().until(() -> !told.isEmpty());
        assertThat(Duration.ofNanos(toldAt.get() - start)).isLessThan(ms(1_500));
        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(lease.release()).isFalse();
        assertThat(next.release()).isTrue();
    }

    /**
     * Whoever passes the lock on in memory asks nobody. Until the next renewal brings the news, a turn may follow on a grant that is
     * over: with a lower token than the grant to another, so its writes are refused.
     */
    @ParameterizedTest
    @EnumSource
    void lockRemoved_passedOnInMemoryMeanwhile_isATurnOfTheOldGrantWhoseWriteIsRefused(Removal how) {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).holdBack();
        Holdfast process = listener(network);
        Consumer<LockOptions.Builder> terms =
                options -> options.ttl(TTL).renew(true).renewEvery(LEASE.dividedBy(3));
        Lease first = process.lock(key, terms).acquire(TTL);
        CompletableFuture<Lease> waiter = lineUp(process, terms);
        remove(how);
        Lease other = another().tryLock(key, TTL).orElseThrow();

        assertThat(first.release()).as("nobody has told it").isTrue();
        Lease turn = listened(granted(waiter));

        assertThat(turn.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(turn.fencingToken() >> 10).as("one grant").isEqualTo(first.fencingToken() >> 10);
        onlyTheNextWrites(turn, other);
        network.calm();
        isToldAtOnce(System.nanoTime());
        assertThat(turn.release()).isFalse();
        assertThat(other.release()).isTrue();
        assertThat(process.tryLock(key, TTL).orElseThrow().fencingToken())
                .as("by Redis")
                .isGreaterThan(other.fencingToken());
    }

    /** The release does not go to Redis; but the next thread asks there, and is granted the lock when it is free. */
    @ParameterizedTest
    @EnumSource
    void lockRemoved_notRenewedAndReleasedToAThread_isNotToldButTheThreadGetsAGrantOfItsOwn(Removal how) {
        Holdfast process = listener();
        Consumer<LockOptions.Builder> terms = options -> options.ttl(TTL);
        Lease first = process.lock(key, terms).acquire(TTL);
        CompletableFuture<Lease> waiter = lineUp(process, terms);
        elapse(ms(50)); // longer than a lease that is not renewed is passed on as it is
        remove(how);
        Lease other = another().tryLock(key, TTL).orElseThrow();

        assertThat(first.release()).as("no one has asked Redis").isTrue();
        await().until(() -> !queued().isEmpty());
        assertThat(waiter).isNotDone();
        assertThat(other.release()).isTrue();
        assertThat(granted(waiter).fencingToken()).isGreaterThan(other.fencingToken());
    }

    @ParameterizedTest
    @ValueSource(strings = {"volatile-lru", "volatile-ttl", "allkeys-lru"})
    void lockEvicted_isToldAtOnceAndTokensRise(String policy) {
        Lease lease = renewed(locks);
        raw().call("CONFIG", "SET", "maxmemory-policy", policy);

        raw().call("CONFIG", "SET", "maxmemory", "1");
        await().until(() -> !backdoor.exists(lockKey()));
        long evicted = System.nanoTime();
        raw().call("CONFIG", "SET", "maxmemory", "0");

        assertThat(String.valueOf(raw().call("INFO", "stats"))).doesNotContain("evicted_keys:0");
        isToldAtOnce(evicted);
        Lease next = another().tryLock(key, LEASE, TTL).orElseThrow();
        onlyTheNextWrites(lease, next);
        assertThat(next.release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void serverRestartedWithoutData_isToldAtOnceAndTokensRise() {
        Restart restart = restart(connector -> connector);

        isToldAtOnce(restart.back);
        onlyTheNextWrites(restart.lease, restart.next);
    }

    /** The same with tokens from a plain counter: what the test above looks for does happen. */
    @Test
    void serverRestartedWithoutData_tokensByAPlainCounter_aLateWriteIsAccepted() {
        Restart restart = restart(RewritingConnector::countingFences);

        assertThat(restart.next.fencingToken()).isLessThan(restart.lease.fencingToken());
        assertThat(store.set(row, "new", restart.next.fencingToken())).isTrue();
        assertThat(store.set(row, "late", restart.lease.fencingToken()))
                .as("a stale write after a newer one")
                .isTrue();
    }

    private record Restart(Lease lease, long back, Lease next) {}

    private Restart restart(UnaryOperator<RedisConnector> fences) {
        Holdfast process = process(fences);
        for (int i = 0; i < 3; i++) {
            process.withLock(key, LEASE, () -> {});
        }
        Lease lease = renewed(process);
        redis().server().restart();
        long back = System.nanoTime();
        await().until(() -> !told.isEmpty());
        return new Restart(lease, back, process(fences).tryLock(key, LEASE, TTL).orElseThrow());
    }

    private Holdfast process(UnaryOperator<RedisConnector> fences) {
        return another(builder -> builder.connector(
                fences.apply(target().connect().apply(redis().address().withTimeout(RedisFixture.PATIENT)))));
    }

    private Lease renewed(Holdfast process) {
        return listened(
                process.lock(key, options -> options.ttl(LEASE).renew(true)).acquire());
    }

    private Lease listened(Lease lease) {
        return lease.onLost(reason -> {
            toldAt.set(System.nanoTime());
            heldWhenTold = lease.isHeld();
            told.add(reason);
        });
    }

    private long remove(Removal how) {
        switch (how) {
            case DEL -> backdoor.delete(lockKey());
            case FLUSHALL -> backdoor.flush();
        }
        return System.nanoTime();
    }

    private void isToldAtOnce(long since) {
        await().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.GONE);
        assertThat(heldWhenTold).as("isHeld() when told").isFalse();
        assertThat(Duration.ofNanos(toldAt.get() - since)).as("told").isLessThan(AT_ONCE);
    }

    private void onlyTheNextWrites(Lease old, Lease next) {
        assertThat(next.fencingToken()).isGreaterThan(old.fencingToken());
        assertThat(store.set(row, "new", next.fencingToken())).isTrue();
        assertThat(store.set(row, "late", old.fencingToken())).isFalse();
        assertThat(store.get(row)).contains("new");
    }
}
