// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockManager;
import io.holdfast.LostReason;
import io.holdfast.spi.RedisCommand;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An owner's holds when replies are lost, holders crash and commands arrive late (protocol rule S2). */
public abstract class OwnerFaultContract extends ProtocolContract {
    private static final String OWNER = "request-42";
    private static final Duration TTL = Duration.ofSeconds(10);

    private DistributedLock lock(LockManager process, Duration ttl) {
        return process.lock(key, options -> options.owner(OWNER).ttl(ttl));
    }

    private @Nullable Object replay(RedisCommand command) {
        return raw().call(command.words().toArray(String[]::new));
    }

    @Test
    void release_whoseReplyIsLost_removesOneHoldOnly() {
        TamperingConnector network = network();
        Lease mine = lock(behind(network), TTL).acquire();
        Lease other = lock(locks, TTL).acquire();
        network.when(Verbs::isRelease).once().loseReply();

        assertThat(mine.release())
                .as("carried out, though the first reply was lost")
                .isTrue();

        assertThat(network.asked(Verbs::isRelease)).hasSize(2);
        assertThat(backdoor.exists(lockKey())).isTrue();
        assertThat(other.renew(TTL)).isTrue();
        assertThat(other.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void release_ofTheLastHoldWhoseReplyIsLost_isTrueAndNeverFreesTheSuccessor() {
        TamperingConnector network = network();
        Lease mine = lock(behind(network), TTL).acquire();
        network.when(Verbs::isRelease).once().loseReply();
        assertThat(mine.release()).isTrue();

        Lease successor = lock(locks, TTL).acquire();
        assertThat(replay(network.asked(Verbs::isRelease).get(0))).isEqualTo(0L);
        assertThat(successor.renew(TTL)).isTrue();
        assertThat(successor.release()).isTrue();
    }

    @Test
    void holds_ofACrashedHolder_endWithItsOwnLease() {
        Lease crashed = lock(crashing(), ms(1_000)).acquire();
        Lease living = locks.lock(
                        key, options -> options.owner(OWNER).ttl(ms(6_000)).renew(true))
                .acquire();
        assertThat(crashed.fencingToken()).isEqualTo(living.fencingToken());

        awaitOneHoldOver();
        assertThat(living.isHeld()).isTrue();
        assertThat(living.release()).isTrue();
        assertThat(backdoor.keysContaining(key))
                .as("freed by the last living hold")
                .isEmpty();
    }

    @Test
    void holds_ofACrashedHolder_doNotKeepTheLockForTheLongerLeaseOfOneThatLeft() {
        Lease lasting = lock(locks, Duration.ofSeconds(60)).acquire();
        lock(crashing(), ms(1_000)).acquire();

        assertThat(lasting.release()).isTrue();
        assertThat(backdoor.exists(lockKey()))
                .as("the other hold still counts on it")
                .isTrue();
        await().atMost(Duration.ofSeconds(20)).until(() -> !backdoor.exists(lockKey()));
        assertThat(another().tryLock(key, TTL)).isPresent();
    }

    @Test
    void release_thatArrivesAfterItsHoldEnded_isToldSoAndLeavesTheOthers() {
        TamperingConnector network = network();
        network.when(Verbs::isRelease).holdBack();
        Lease late = lock(behind(network), ms(1_500)).acquire();
        Lease lasting = lock(locks, TTL).acquire();
        assertThatThrownBy(late::release).isInstanceOf(LockBackendException.class);
        awaitOneHoldOver();

        assertThat(network.letGo()).isNotEmpty().allMatch(Long.valueOf(0)::equals);
        assertThat(lasting.release()).isTrue();
    }

    @Test
    void release_whileAnotherHoldLasts_neverCutsWhatThatHoldCountsOn() {
        Lease brief = lock(locks, TTL).acquire();
        Lease lasting = lock(another(), Duration.ofSeconds(30)).acquire();
        Lease longest = lock(another(), Duration.ofSeconds(60)).acquire();

        assertThat(longest.release()).isTrue();
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(lasting.remaining().toMillis() - 1);
        assertThat(brief.release()).isTrue();
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(lasting.remaining().toMillis() - 1);
        assertThat(backdoor.pttl(companion("holds")))
                .isGreaterThan(lasting.remaining().toMillis() - 1);
        assertThat(backdoor.pttl(companion("owner")))
                .isGreaterThan(lasting.remaining().toMillis() - 1);
    }

    @Test
    void companions_ofALockThatIsReentered_endWithIt() {
        lock(locks, ms(5_000)).acquire();
        lock(locks, Duration.ofSeconds(60)).acquire();

        assertThat(backdoor.pttl(companion("owner"))).isBetween(40_000L, 60_000L);
        assertThat(backdoor.pttl(companion("holds"))).isBetween(40_000L, 60_000L);
    }

    @Test
    void companions_ofAPreviousOwner_neverLetItInBesideANewPlainHolder() {
        Lease old = lock(locks, TTL).acquire();
        backdoor.delete(lockKey());
        Lease plain = another().tryLock(key, TTL).orElseThrow();
        assertThat(backdoor.exists(companion("holds")))
                .as("the stale companion")
                .isTrue();

        assertThat(lock(another(), TTL).tryAcquire()).isEmpty();
        assertThat(old.renew(TTL)).isFalse();
        assertThat(old.lostReason()).contains(LostReason.GONE);
        assertThat(old.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo(plain.token());
        assertThat(plain.release()).isTrue();
    }

    @Test
    void companions_ofAPreviousOwner_areForgottenByTheNext() {
        Lease old = lock(locks, TTL).acquire();
        backdoor.delete(lockKey());
        Lease next = another()
                .lock(key, options -> options.owner("request-43").ttl(TTL))
                .acquire();

        assertThat(lock(another(), TTL).tryAcquire()).as("the previous owner").isEmpty();
        assertThat(old.release()).isFalse();
        assertThat(next.release()).as("its hold is the only one").isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void lateRenewalAndRelease_ofAnEarlierHold_neverTouchTheNextOne() {
        TamperingConnector network = network();
        Holdfast process = behind(network);
        Lease a1 = lock(process, TTL).acquire();
        a1.renew(TTL);
        a1.release();
        RedisCommand lateRenewal = network.asked(Verbs::isRenew).get(0);
        RedisCommand lateRelease = network.asked(Verbs::isRelease).get(0);

        Lease a2 = lock(process, ms(5_000)).acquire();
        assertThat(replay(lateRenewal)).isEqualTo("gone");
        assertThat(backdoor.pttl(lockKey())).isLessThanOrEqualTo(5_000);
        assertThat(replay(lateRelease)).isEqualTo(0L);
        assertThat(backdoor.get(lockKey())).isEqualTo(a2.token());
        assertThat(a2.renew(ms(5_000))).isTrue();
        assertThat(a2.release()).isTrue();
    }

    @Test
    void acquire_whoseReplyIsLost_findsItsOwnHold() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().loseReply();
        Lease lease = lock(behind(network), TTL).acquire(Duration.ofSeconds(20));

        assertThat(raw().call("ZCARD", companion("holds"))).isEqualTo(1L);
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void acquire_abandonedWithoutAReply_takesItsHoldBackAndNoOther() {
        Lease other = lock(locks, TTL).acquire();
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).loseReply();
        Holdfast process = behind(network);
        try {
            lock(process, TTL).tryAcquire();
        } catch (RuntimeException expected) {
            assertThat(expected).hasMessageContaining("could not be asked");
        }

        await().until(() -> raw().call("ZCARD", companion("holds")), Long.valueOf(1)::equals);
        assertThat(other.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    /** A process that goes away with its lease held: what it had in Redis stays there. */
    private Holdfast crashing() {
        TamperingConnector network = network();
        network.when(command -> !Verbs.isAcquire(command)).holdBack();
        return behind(network);
    }

    /** By the scripts' own rule: a hold is over after its last millisecond, not in it. */
    private void awaitOneHoldOver() {
        await().until(
                        () -> raw().call("ZCOUNT", companion("holds"), "-inf", "(" + serverMillis()),
                        Long.valueOf(1)::equals);
    }

    private String serverMillis() {
        Object time = raw().call("TIME");
        List<?> parts = (List<?>) Objects.requireNonNull(time);
        return parts.get(0)
                + String.valueOf(1_000_000 + Long.parseLong(String.valueOf(parts.get(1))))
                        .substring(1, 4);
    }
}
