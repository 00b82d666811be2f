// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Eviction;
import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ending a grant, one's own after a while or another's by force, when others are faster and replies are lost. */
public abstract class EndContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofMinutes(10);

    private static boolean isEnd(RedisCommand command) {
        return Verbs.of(command).equals("end");
    }

    @Test
    void forceRelease_ofAGrantThatChangedHandsAfterTheLook_takesNothing() {
        Lease stuck = locks.tryLock(key, TTL).orElseThrow();
        Holdfast other = another();
        TamperingConnector network = network();
        network.when(EndContract::isEnd).once().first(() -> {
            stuck.release();
            assertThat(other.tryLock(key, TTL)).isPresent();
        });
        Holdfast operator = behind(network);

        assertThat(operator.forceRelease(key)).isEmpty();

        assertThat(other.held()).hasSize(1);
        assertThat(backdoor.pttl(lockKey())).isPositive();
    }

    @Test
    void forceRelease_thatArrivesLate_neverFreesTheSuccessor() {
        assertThat(locks.tryLock(key, TTL)).isPresent();
        TamperingConnector network = network();
        network.when(EndContract::isEnd).once().holdBack();
        Holdfast operator = behind(network);
        assertThatThrownBy(() -> operator.forceRelease(key)).isInstanceOf(LockBackendException.class);
        assertThat(operator.forceRelease(key)).as("repeated").isPresent();
        Lease next = another().tryLock(key, TTL).orElseThrow();

        assertThat(network.letGo()).containsExactly(0L);

        assertThat(backdoor.get(lockKey())).isEqualTo(next.token());
    }

    @Test
    void forceRelease_ofAKeyThatIsNoString_leavesItAlone() {
        raw().call("HSET", lockKey(), "thread-1", "1");

        assertThat(locks.forceRelease(key)).isEmpty();

        assertThat(backdoor.exists(lockKey())).isTrue();
        backdoor.delete(lockKey());
    }

    @Test
    void forceRelease_makesWritesOfTheFormerHolderStale() {
        Lease former = locks.tryLock(key, TTL).orElseThrow();
        another().forceRelease(key);
        Lease next = another().tryLock(key, TTL).orElseThrow();
        FencedStore store = locks.fencedStore();

        assertThat(store.set("row:" + key, "new", next.fencingToken())).isTrue();
        assertThat(store.set("row:" + key, "old", former.fencingToken())).isFalse();
    }

    @Test
    void releaseAfter_whoseReplyIsLost_isSentOnceMoreAndReported() {
        TamperingConnector network = network();
        network.when(EndContract::isEnd).once().loseReply();
        Lease lease = behind(network).tryLock(key, TTL).orElseThrow();

        assertThat(lease.releaseAfter(Duration.ofSeconds(30))).isTrue();

        assertThat(network.asked(EndContract::isEnd)).hasSize(2);
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, 30_000L);
    }

    @Test
    void releaseAfter_thatIsRefused_leavesTheLockToItsTtl() {
        TamperingConnector network = network();
        network.when(EndContract::isEnd).fail(new RedisReplyException("NOPERM no"));
        Holdfast process = behind(network);
        Lease lease = process.tryLock(key, TTL).orElseThrow();

        assertThatThrownBy(() -> lease.releaseAfter(Duration.ofSeconds(1))).isInstanceOf(LockBackendException.class);

        assertThat(lease.isHeld()).isFalse();
        assertThat(process.heldLeases()).isZero();
        assertThat(backdoor.get(lockKey())).as("not freed too soon").isEqualTo(lease.token());
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(30_000);
    }

    @Test
    void releaseAfter_thatArrivesLate_neverCutsTheSuccessorsLife() {
        TamperingConnector network = network();
        network.when(EndContract::isEnd).once().copyLate();
        Lease lease = behind(network).tryLock(key, TTL).orElseThrow();
        assertThat(lease.releaseAfter(ms(1))).isTrue();
        Lease next = another().lock(key, options -> options.ttl(TTL)).acquire(Duration.ofSeconds(20));

        assertThat(network.letGo()).containsExactly(0L);

        assertThat(next.isHeld()).isTrue();
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(30_000);
    }

    @Test
    void eviction_tellsPolicyAndLimitOfTheServer() {
        Eviction told = locks.eviction().orElseThrow();

        assertThat(told.policy()).isEqualTo("noeviction");
        assertThat(told.mayDropLocks()).isFalse();
    }

    @Test
    void eviction_notAllowedToAsk_isUnknownAndNoError() {
        TamperingConnector network = network();
        network.when(command -> command.name().equals("INFO")).fail(new RedisReplyException("NOPERM no info"));

        assertThat(behind(network).eviction()).isEmpty();
    }

    @Test
    void isDeaf_untilOthersAreHeard() {
        TamperingConnector network = network();
        network.subscriptions().refuse(new RedisReplyException("NOPERM no channel"));
        Holdfast process = behind(network);
        assertThat(process.isDeaf()).as("nothing to hear yet").isFalse();

        process.withLock(key, TTL, () -> {});
        await().until(process::isDeaf);

        locks.withLock(key, TTL, () -> {});
        await().until(() -> !locks.isDeaf());
    }
}
