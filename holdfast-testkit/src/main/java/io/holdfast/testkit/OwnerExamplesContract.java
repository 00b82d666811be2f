// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples of the document about the two scripts, and the tolerance it adds to the key's life. */
public abstract class OwnerExamplesContract extends LockContract {

    @Test
    void basicUse_acquireWorkRelease() {
        Optional<Lease> lease =
                locks.lock(key, options -> options.ttl(Duration.ofSeconds(30))).tryAcquire();

        assertThat(lease).isPresent();
        assertThat(lease.get().release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void reentry_uncounted_extendsAndTheFirstReleaseFrees() {
        DistributedLock lock = locks.lock(
                key,
                options -> options.ttl(Duration.ofSeconds(10)).owner("my-id").countHolds(false));
        Lease first = lock.tryAcquire().orElseThrow();
        Lease second = lock.tryAcquire().orElseThrow();
        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());

        assertThat(first.release()).isTrue();
        assertThat(backdoor.exists(lockKey())).isFalse();
        assertThat(second.release()).as("nothing left to release").isFalse();
    }

    @Test
    void competition_theSecondProcessIsRefusedUntilTheFirstReleases() {
        DistributedLock a = locks.lock(key, options -> options.ttl(Duration.ofSeconds(10)));
        DistributedLock b = another().lock(key, options -> options.ttl(Duration.ofSeconds(10)));

        Lease held = a.tryAcquire().orElseThrow();
        assertThat(b.tryAcquire()).isEmpty();
        held.release();
        assertThat(b.tryAcquire()).isPresent();
    }

    @Test
    void reentry_withALongerTtl_extendsAndWithAShorterOneDoesNotShorten() {
        Lease first = owned(Duration.ofSeconds(5));
        Lease longer = owned(Duration.ofSeconds(60));
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(10_000);

        Lease shorter = owned(Duration.ofSeconds(1));
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(10_000);
        assertThat(first.release()).isTrue();
        assertThat(longer.release()).isTrue();
        assertThat(shorter.release()).isTrue();
    }

    @Test
    void tolerance_letsTheKeyOutliveTheLeaseAndNotTheOtherWay() {
        Lease lease = locks.lock(
                        key, options -> options.ttl(Duration.ofMillis(300)).tolerance(Duration.ofSeconds(20)))
                .acquire();

        assertThat(backdoor.pttl(lockKey())).isBetween(10_000L, 20_300L);
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(300));
        eventually().until(() -> !lease.isHeld());
        assertThat(backdoor.exists(lockKey())).isTrue();
        assertThat(another().tryLock(key, Duration.ofSeconds(1))).isEmpty();

        assertThat(lease.release()).isFalse();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.exists(lockKey()))
                        .as("a late release spares the next holder the tolerance")
                        .isFalse());
    }

    @Test
    void tolerance_isKeptByRenewal() {
        Lease lease = locks.lock(
                        key, options -> options.ttl(Duration.ofSeconds(5)).tolerance(Duration.ofSeconds(20)))
                .acquire();

        assertThat(lease.renew(Duration.ofSeconds(5))).isTrue();
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(10_000);
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    private Lease owned(Duration ttl) {
        return locks.lock(key, options -> options.ttl(ttl).owner("my-id")).acquire();
    }
}
