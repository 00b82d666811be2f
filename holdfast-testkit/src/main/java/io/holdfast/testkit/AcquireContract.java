// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Taking and giving back a lock with a fixed lease: the first document's {@code LockManager}. */
public abstract class AcquireContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void tryLock_free_grantsALeaseWhoseTokenIsTheValueInTheStore() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.key()).isEqualTo(key);
        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, TTL.toMillis());
    }

    @Test
    void tryLock_heldByAnother_isEmptyAtOnce() {
        Optional<Lease> first = locks.tryLock(key, TTL);
        assertThat(first).isPresent();

        assertThat(another().tryLock(key, TTL)).isEmpty();
    }

    @Test
    void release_mine_freesTheLockAndLeavesNothingBehind() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.release()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(backdoor.keysContaining(key)).isEmpty();
        assertThat(lease.release()).as("a second release").isFalse();
    }

    @Test
    void release_afterAnotherTookOver_reportsFalseAndLeavesTheOther() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        Lease successor = another().tryLock(key, TTL).orElseThrow();

        assertThat(lease.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void withLock_heldByAnother_throwsWhoHoldsItAndForHowLong() {
        assertThat(another(builder -> builder.note("host-a/4711")).tryLock(key, TTL))
                .isPresent();

        assertThatThrownBy(() -> locks.withLock(key, TTL, () -> {}))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> {
                    assertThat(busy).hasMessageStartingWith("Lock not acquired").hasNoCause();
                    assertThat(busy.key()).isEqualTo(key);
                    assertThat(busy.holder()).contains("host-a/4711");
                    assertThat(busy.holderTtl().orElseThrow()).isBetween(Duration.ofMillis(1), TTL);
                });
    }

    @Test
    void tryLock_withATtl_isNotRenewed() {
        EventRecorder events = new EventRecorder();
        Lease lease = another(builder -> builder.listener(events))
                .tryLock(key, Duration.ofMillis(300))
                .orElseThrow();

        eventually().until(() -> !backdoor.exists(lockKey()));

        assertThat(lease.isHeld()).isFalse();
        assertThat(events.kinds()).doesNotContain("renewed");
    }

    @Test
    void tryLock_waiting_getsTheLockWhenItIsReleased() throws Exception {
        Lease first = another().tryLock(key, TTL).orElseThrow();
        Worker<Optional<Lease>> waiter = Worker.start(() -> locks.tryLock(key, TTL, Duration.ofSeconds(15)));
        eventually().until(() -> !locks.inspect(key).waiting().isEmpty());

        first.release();

        Lease second = waiter.result().orElseThrow();
        assertThat(second.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(second.token());
    }

    @Test
    void tryLock_waiting_getsTheLockWhenItsHolderDied() {
        backdoor.set(lockKey(), "somebody", 300);

        assertThat(locks.tryLock(key, TTL, Duration.ofSeconds(15))).isPresent();
    }

    @Test
    void tryLock_twiceInOneThread_isRefused() {
        assertThat(locks.tryLock(key, TTL)).isPresent();

        assertThat(locks.tryLock(key, TTL))
                .as("not re-entrant without an owner")
                .isEmpty();
    }

    @Test
    void tryLock_sameOwnerInTheDefaults_reenters() {
        Holdfast request = another(builder ->
                builder.defaults(LockOptions.builder().owner("request-1").build()));
        Lease outer = request.tryLock(key, TTL).orElseThrow();
        Lease inner = request.tryLock(key, TTL).orElseThrow();

        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).as("held by the outer lease").isTrue();
        assertThat(outer.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void tryLock_withATtlBelowTheDefaultsRenewalInterval_isFixedAllTheSame() {
        Holdfast renewing = another(builder -> builder.defaults(
                LockOptions.builder().renewEvery(Duration.ofSeconds(20)).build()));

        assertThat(renewing.tryLock(key, TTL)).isPresent();
    }

    @Test
    void lease_fresh_tellsAllAboutItself() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.key()).isEqualTo(key);
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), TTL);
        assertThat(lease.fencingToken()).isPositive();
        assertThat(lease.isDegraded()).isFalse();
        assertThat(lease.lostReason()).isEmpty();
        assertThatNoException().isThrownBy(lease::ensureHeld);
        assertThat(lease.toString()).contains(key).doesNotContain(lease.token());
    }

    @Test
    void lease_released_saysSo() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        lease.close();

        assertThat(lease.remaining()).isZero();
        assertThat(lease.lostReason()).isEmpty();
        assertThatIllegalStateException().isThrownBy(lease::ensureHeld).withMessageContaining(key);
    }

    @Test
    void token_ofEachAcquire_isUniquePrintableAndCarries128RandomBits() {
        Set<String> tokens = new HashSet<>();
        Set<String> random = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            Lease lease = locks.tryLock(key, TTL).orElseThrow();
            lease.release();
            assertThat(lease.token()).matches("[\\x21-\\x7e]{36,}");
            tokens.add(lease.token());
            random.add(lease.token().substring(0, 22)); // 22 characters of base64 are 132 bits
        }
        assertThat(tokens).hasSize(50);
        assertThat(random).hasSize(50).allMatch(part -> part.matches("[A-Za-z0-9_-]{22}"));
        for (int column = 0; column < 21; column++) { // a counter or a clock would keep its first characters
            int at = column;
            assertThat(random.stream().map(part -> part.charAt(at)).distinct()).hasSizeGreaterThan(10);
        }
    }

    @Test
    void fencingToken_risesFromGrantToGrantAcrossProcesses() {
        long last = 0;
        for (Holdfast process : List.of(locks, another(), locks)) {
            Lease lease = process.tryLock(key, TTL).orElseThrow();
            assertThat(lease.fencingToken()).isGreaterThan(last);
            last = lease.fencingToken();
            lease.release();
        }
    }

    @Test
    void fencingToken_withFencingOff_throwsAndSaysWhy() {
        Lease lease = locks.lock(key, options -> options.fencing(false)).acquire();

        assertThatIllegalStateException().isThrownBy(lease::fencingToken).withMessageContaining("fencing off");
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(lease.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void release_afterExpiry_reportsLost() {
        Lease lease = ready(locks).tryLock(key, Duration.ofMillis(100)).orElseThrow();
        eventually().until(() -> !backdoor.exists(lockKey()));

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
    }

    @Test
    void release_byAnotherThread_works() throws Exception {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(Worker.start(lease::release).result()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void release_foreignValueAtTheKey_leavesIt() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        backdoor.set(lockKey(), "x" + lease.token(), 10_000);

        assertThat(lease.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo("x" + lease.token());
    }
}
