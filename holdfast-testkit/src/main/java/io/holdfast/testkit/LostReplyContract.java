// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.testkit.faults.Delay;
import io.holdfast.testkit.faults.ProxyRule;
import io.holdfast.testkit.faults.Way;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies on the wire that come too late or not at all: what was granted is found again or undone, and nobody else's freed. */
public abstract class LostReplyContract extends ProxiedContract {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private DistributedLock lock(Holdfast process, boolean fenced) {
        return process.lock(key, options -> options.ttl(TTL).fencing(fenced).retryInterval(ms(20)));
    }

    private void lose(ProxyRule rule, boolean hangs) {
        if (hangs) {
            rule.loseReplyAndHang();
        } else {
            rule.loseReply();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replyToAcquire_laterThanTheTtl_isNoLease(boolean fenced) {
        Holdfast process = behindNet(Duration.ofSeconds(5));
        net.when(acquires()).once().delayReply(ms(700));
        DistributedLock brief = process.lock(
                key, options -> options.ttl(ms(500)).tolerance(TTL).fencing(fenced)); // so the key lives on

        assertThatThrownBy(brief::acquire)
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("ttl");
        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
    }

    @Test
    void replies_allLaterThanTheTtl_neverMakeALeaseAndTheLockIsFreeAfterwards() {
        Holdfast process = behindNet(Duration.ofSeconds(5));
        net.delay(Way.REPLIES, Delay.of(ms(700)));
        DistributedLock brief =
                process.lock(key, options -> options.ttl(ms(500)).tolerance(TTL));

        assertThatThrownBy(() -> brief.acquire(ms(1_800))).isInstanceOf(LockBackendException.class);

        net.delay(Way.REPLIES, Delay.NONE);
        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
        assertThat(brief.acquire(SOON).isHeld()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replyToAcquire_lost_isMadeUpForByTryingAgain(boolean hangs) {
        Holdfast process = behindNet(TIMEOUT);
        long before = locks.lock(key + ":before").acquire().fencingToken();
        ProxyRule lost = net.when(acquires()).once();
        lose(lost, hangs);
        ProxyRule again = net.when(acquires()).pass();

        Lease lease = lock(process, true).acquire(Duration.ofSeconds(20));

        assertThat(lost.applied()).isOne();
        assertThat(again.applied()).isPositive();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.token()).isEqualTo(backdoor.get(lockKey()));
        assertThat(lease.fencingToken())
                .as("the same grant")
                .isEqualTo(Long.parseLong(String.valueOf(backdoor.get("holdfast:fence"))) << 10)
                .isGreaterThan(before);
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replyToAcquire_lostAndNobodyWaits_isUndoneLongBeforeTheTtl(boolean hangs) {
        Holdfast process = behindNet(TIMEOUT);
        lose(net.when(acquires()).once(), hangs);

        assertThatThrownBy(() -> process.tryLock(key, TTL)).isInstanceOf(LockBackendException.class);

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
        assertThat(locks.tryLock(key, TTL)).isPresent();
    }

    @Test
    void acquire_thatArrivesAfterItsCleanUp_isUndoneLongBeforeTheTtl() {
        Holdfast process = behindNet(TIMEOUT);
        net.when(acquires()).once().holdBack();
        ProxyRule cleanUps = net.when(abandons()).pass();

        assertThatThrownBy(() -> process.tryLock(key, TTL)).isInstanceOf(LockBackendException.class);
        net.reset(); // what is behind it must not wait for it
        await().until(() -> cleanUps.applied() >= 2);
        assertThat(backdoor.exists(lockKey())).isFalse();

        assertThat(net.letGo()).hasSize(1).first().asString().contains("granted");

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void acquire_thatArrivesAfterTheReleaseOfItsRetry_isUndoneLongBeforeTheTtl() {
        ProxyRule cleanUps = net.when(abandons()).pass();
        CompletableFuture<Lease> acquire = acquireWithACopyHeldBack();
        assertThat(acquire.join().release()).isTrue();
        await().until(() -> cleanUps.applied() >= 1); // too early to have undone the copy
        assertThat(backdoor.exists(lockKey())).isFalse();

        assertThat(net.letGo()).hasSize(1).first().asString().contains("granted");

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void acquire_thatArrivesWhileItsRetryIsHeld_changesNothing() {
        Lease lease = acquireWithACopyHeldBack().join();
        String value = backdoor.get(lockKey());

        assertThat(net.letGo()).hasSize(1).first().asString().contains("granted");

        assertThat(backdoor.get(lockKey())).isEqualTo(value).isEqualTo(lease.token());
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    private CompletableFuture<Lease> acquireWithACopyHeldBack() {
        Holdfast process = behindNet(TIMEOUT);
        net.when(acquires()).once().holdBack();
        CompletableFuture<Lease> acquire = process.lock(
                        key,
                        options -> options.ttl(TTL).wait(Duration.ofSeconds(20)).retryInterval(ms(20)))
                .acquireAsync();
        await().until(() -> net.held() == 1);
        net.reset();
        return acquire;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replyToRelease_lost_neverFreesTheSuccessor(boolean hangs) {
        Lease lease = lock(behindNet(TIMEOUT), true).acquire(SOON);
        lose(net.when(releases()).once(), hangs);
        net.when(releases().or(abandons())).once().holdBack(); // the next try waits until there is a successor

        CompletableFuture<Boolean> release = lease.releaseAsync();
        await().until(() -> net.held() == 1);
        Lease successor = locks.tryLock(key, TTL).orElseThrow();
        assertThat(net.letGo()).containsExactly(":0\r\n");

        assertNotCalledLost(release);
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
        assertThat(successor.release()).isTrue();
    }

    /** Its second try must not go to the connection that has just broken. */
    @Test
    void replyToRelease_lostWithItsConnection_isTrueByTheSecondTry() {
        Lease lease = lock(behindNet(TIMEOUT), true).acquire(SOON);
        net.when(releases()).once().loseReply();
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void release_thatArrivesLate_neverFreesTheSuccessor() {
        Lease lease = lock(behindNet(TIMEOUT), true).acquire(SOON);
        net.when(releases()).once().holdBack();

        CompletableFuture<Boolean> release = lease.releaseAsync();
        await().until(() -> net.held() == 1);
        net.reset();
        assertNotCalledLost(release);
        Lease successor = locks.lock(key, options -> options.ttl(TTL)).acquire(SOON);

        assertThat(net.letGo()).containsExactly(":0\r\n");
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
        assertThat(successor.isHeld()).isTrue();
    }

    /** True, or an error when the second try had no answer either; then it is cleaned up. But never: somebody else had it. */
    private static void assertNotCalledLost(CompletableFuture<Boolean> release) {
        try {
            assertThat(release.join()).isTrue();
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(LockBackendException.class);
        }
    }
}
