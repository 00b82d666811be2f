// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LostReason;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands without a reply, late commands, late replies: nothing is taken for nobody, nothing of another's is freed. */
@NullUnmarked
public abstract class AmbiguityContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** Much less than the TTL, so that only clean-up can have freed the lock; enough for a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private static boolean isAbandon(RedisCommand command) {
        return Verbs.of(command).equals("abandon");
    }

    private DistributedLock lock(Holdfast process, boolean fenced) {
        return process.lock(key, options -> options.ttl(TTL).fencing(fenced).retryInterval(ms(20)));
    }

    private static boolean takesLock(RedisCommand command) {
        return Verbs.isAcquire(command) || command.name().equals("SET");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_whoseReplyIsLost_getsTheSameGrantByTryingAgain(boolean fenced) {
        TamperingConnector network = network();
        network.when(AmbiguityContract::takesLock).once().loseReply();

        Lease lease = lock(behind(network), fenced).acquire(Duration.ofSeconds(20));

        assertThat(network.asked(AmbiguityContract::takesLock)).hasSizeGreaterThanOrEqualTo(2);
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void acquire_whoseReplyIsLost_isUndoneWhenNobodyWaitsForIt() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().loseReply();

        assertThatThrownBy(() -> behind(network).tryLock(key, TTL)).isInstanceOf(LockBackendException.class);

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
        assertThat(another().tryLock(key, TTL)).isPresent();
    }

    @Test
    void acquire_thatArrivesAfterItsCleanUp_isUndoneLongBeforeItsTtlEnds() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).holdBack();
        assertThatThrownBy(() -> behind(network).tryLock(key, TTL)).isInstanceOf(LockBackendException.class);
        await().until(() -> network.asked(AmbiguityContract::isAbandon).size() >= 2);

        assertThat(network.letGo()).hasSize(1).first().asString().contains("granted");

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void acquire_thatArrivesAfterTheReleaseOfItsRetry_isUndoneLongBeforeItsTtlEnds() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().holdBack();
        Lease lease = lock(behind(network), true).acquire(Duration.ofSeconds(20));
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();

        assertThat(network.letGo()).hasSize(1).first().asString().contains("granted");

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void acquire_thatArrivesAfterTheLossOfItsRetry_isUndoneLongBeforeItsTtlEnds() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().holdBack();
        Lease lease = lock(behind(network), true).acquire(Duration.ofSeconds(20));
        backdoor.delete(lockKey());
        assertThat(lease.renew(TTL)).as("its key was deleted").isFalse();

        assertThat(network.letGo()).hasSize(1).first().asString().contains("granted");

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void acquire_thatArrivesAfterAnotherTookTheLock_changesNothing() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().holdBack();
        Lease lease = lock(behind(network), true).acquire(Duration.ofSeconds(20));
        lease.release();
        Lease successor = locks.tryLock(key, TTL).orElseThrow();

        assertThat(network.letGo()).hasSize(1).first().asString().contains("contended");
        int cleanedUp = network.asked(AmbiguityContract::isAbandon).size();
        await().until(() -> network.asked(AmbiguityContract::isAbandon).size() > cleanedUp);
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void acquire_whoseReplyTakesLongerThanTheTtl_neverReturnsAnExpiredLease() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().delayReply(ms(500));
        DistributedLock brief =
                behind(network).lock(key, options -> options.ttl(ms(300)).tolerance(TTL)); // so the key lives on

        assertThatThrownBy(brief::acquire)
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("ttl");
        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
    }

    @Test
    void acquire_whoseReplyTakesLongerThanTheTtl_isTriedAgainWhileTheCallerWaits() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().delayReply(ms(1_300));
        Lease lease =
                behind(network).lock(key, options -> options.ttl(ms(1_000))).acquire(Duration.ofSeconds(20));

        List<RedisCommand> tries = network.asked(Verbs::isAcquire);
        assertThat(tries).hasSizeGreaterThanOrEqualTo(2);
        assertThat(tries.get(0).words())
                .as("a token is not used again after it was cleaned up")
                .doesNotContain(lease.token());
    }

    @Test
    void acquireAsync_cancelledWhileUnderWay_leavesNothing() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().stall();
        CompletableFuture<Lease> acquire = lock(behind(network), true).acquireAsync();
        await().until(() -> network.underWay() == 1);
        acquire.cancel(false);

        assertThat(network.letGo()).hasSize(1).first().asString().contains("granted");
        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
    }

    @Test
    void release_isSentOnlyAfterIsHeldTurnedFalse() {
        for (String owner : new String[] {"", "o"}) {
            TamperingConnector network = network();
            AtomicReference<Lease> lease = new AtomicReference<>();
            AtomicReference<Boolean> heldAtSend = new AtomicReference<>();
            network.when(Verbs::isRelease)
                    .first(() -> heldAtSend.set(lease.get().isHeld()));
            lease.set(behind(network)
                    .lock(key, options -> (owner.isEmpty() ? options : options.owner(owner)).ttl(TTL))
                    .acquire());

            assertThat(lease.get().release()).isTrue();
            assertThat(heldAtSend.get()).as("seen while the release was sent").isFalse();
        }
    }

    @Test
    void release_whoseReplyIsLost_isTrueAndNeverFreesTheSuccessor() {
        TamperingConnector network = network();
        Lease lease = lock(behind(network), true).acquire();
        AtomicReference<Lease> successor = new AtomicReference<>();
        network.when(Verbs::isRelease).once().loseReply();
        network.when(Verbs::isRelease)
                .once()
                .first(() -> successor.set(locks.tryLock(key, TTL).orElseThrow()));

        assertThat(lease.release()).isTrue();

        assertThat(successor.get()).as("took the lock between the two releases").isNotNull();
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.get().token());
        assertThat(successor.get().release()).isTrue();
    }

    @Test
    void release_refusedAtFirst_isFalseWhenTheLockWasGone() {
        TamperingConnector network = network();
        Lease lease = lock(behind(network), true).acquire();
        network.when(Verbs::isRelease).once().fail(new RedisReplyException("READONLY for a moment"));
        backdoor.delete(lockKey());

        assertThat(lease.release()).isFalse();

        assertThat(lease.lostReason()).contains(LostReason.GONE);
    }

    @Test
    void release_sentTwice_believesTheFirstIfItAnswersAfterAll() {
        TamperingConnector network = network(redis().address().withTimeout(Duration.ofSeconds(1)));
        Lease lease = lock(behind(network), true).acquire();
        network.when(Verbs::isRelease).once().stall();
        network.when(Verbs::isRelease).once().first(network::letGo);
        backdoor.delete(lockKey());

        boolean unknown = network.blocking(); // a blocking client does not wait for an answer that late
        assertThat(lease.release()).isEqualTo(unknown);
    }

    @Test
    void close_whileAReleaseIsUnderWay_waitsForItsAnswer() throws Exception {
        TamperingConnector network = network();
        Holdfast closing = another(builder -> builder.connector(network).closeWait(SOON));
        Lease lease = lock(closing, true).acquire();
        AtomicReference<Worker<Boolean>> closer = new AtomicReference<>();
        network.when(Verbs::isRelease).once().first(() -> {
            closer.set(Worker.start(() -> {
                closing.close();
                return true;
            }));
            await().until(() -> closing.toString().contains("closed"));
            await().during(ms(100)).atMost(SOON).until(() -> !closer.get().isDone());
        });

        assertThat(lease.release()).isTrue();
        assertThat(closer.get().result()).isTrue();
    }

    @Test
    void release_thatArrivesLate_neverFreesTheSuccessor() {
        TamperingConnector network = network();
        Lease lease = lock(behind(network), true).acquire();
        network.when(Verbs::isRelease).once().copyLate();
        assertThat(lease.release()).isTrue();
        Lease successor = locks.tryLock(key, TTL).orElseThrow();

        assertThat(network.letGo()).containsExactly(0L);
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void release_thatCannotBeTold_isAnErrorAndGoesOnInTheBackground() {
        TamperingConnector network = network();
        Lease lease = lock(behind(network), true).acquire();
        network.when(Verbs::isRelease).holdBack();

        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);
        assertThat(lease.isHeld()).isFalse();
        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
        Lease successor = locks.tryLock(key, TTL).orElseThrow();
        network.letGo();
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void release_aSecondTime_neverTouchesALaterLeaseOfTheSameProcess() {
        TamperingConnector network = network();
        Holdfast process = behind(network);
        Lease old = lock(process, true).acquire();
        assertThat(old.release()).isTrue();
        Lease later = lock(process, true).acquire();
        int sent = network.asked(command -> true).size();

        assertThat(old.release()).isFalse();
        old.close();
        assertThat(old.renew(TTL)).isFalse();
        elapse(ms(200));
        assertThat(network.asked(command -> true)).as("nothing is sent").hasSize(sent);
        assertThat(later.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(later.token());
    }

    @Test
    void renewal_thatArrivesLate_neverExtendsTheSuccessor() {
        TamperingConnector network = network();
        Lease lease = lock(behind(network), true).acquire();
        network.when(Verbs::isRenew).once().copyLate();
        assertThat(lease.renew(TTL)).isTrue();
        lease.release();
        Lease successor = locks.tryLock(key, ms(10_000)).orElseThrow();

        assertThat(network.letGo()).hasSize(1).first().asString().contains("gone");
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, 10_000L);
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void wait_thatTimesOut_leavesNoEntryBehind() {
        Lease holder = locks.tryLock(key, TTL).orElseThrow();
        assertThat(locks.tryLock(key, TTL, ms(300))).isEmpty();
        holder.release();
        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
    }
}
