// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How long a key lives: never shorter than its holder counts on (S1), never longer than its lease may ask for (S5). */
public abstract class ExpiryContract extends ProtocolContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration BRIEF = Duration.ofSeconds(5);
    private static final long STILL_LONG = 30_000;

    private DistributedLock renewable(Holdfast process) {
        return process.lock(key, options -> options.ttl(Duration.ofSeconds(8)).maxTtl(LONG));
    }

    @Test
    void renew_shorterThanWhatRemains_cutsThePromiseAndNotTheKey() {
        Lease lease = renewable(locks).acquire();
        assertThat(lease.renew(LONG)).isTrue();
        assertThat(lease.renew(BRIEF)).isTrue();

        assertThat(lease.remaining()).isLessThanOrEqualTo(BRIEF);
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(STILL_LONG);
    }

    @Test
    void renew_overtakenByALongerOne_neverShortensTheKey() {
        TamperingConnector network = network();
        Lease lease = renewable(behind(network)).acquire();
        network.when(Verbs::isRenew).once().copyLate();
        lease.renew(BRIEF);
        lease.renew(LONG);

        assertThat(network.letGo()).hasSize(1).first().asString().contains("renewed");
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(STILL_LONG);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void renew_ofAnOwnersHoldOvertakenByALongerOne_neverShortensHoldOrKey() {
        TamperingConnector network = network();
        Lease lease = behind(network)
                .lock(key, options -> options.owner("o").ttl(BRIEF).maxTtl(LONG))
                .acquire();
        network.when(Verbs::isRenew).once().copyLate();
        lease.renew(BRIEF);
        lease.renew(LONG);

        assertThat(network.letGo()).hasSize(1).first().asString().contains("renewed");
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(STILL_LONG);
        assertThat(backdoor.pttl(companion("holds"))).isGreaterThan(STILL_LONG);
        assertHoldIsStillLong();
        assertThat(lease.renew(LONG)).isTrue();
    }

    @Test
    void acquire_deliveredTwice_neverShortensTheLease() {
        assertThat(shortensNothing(process -> renewable(process)).release()).isTrue();
    }

    @Test
    void acquire_ofAnOwnerDeliveredTwice_neverShortensTheLease() {
        Lease lease = shortensNothing(process -> process.lock(
                key, options -> options.owner("o").ttl(Duration.ofSeconds(8)).maxTtl(LONG)));
        assertHoldIsStillLong();
        assertThat(lease.release()).isTrue();
    }

    /** A second hold that comes and goes leaves the key the life that the first hold is recorded with. */
    private void assertHoldIsStillLong() {
        assertThat(another()
                        .lock(key, options -> options.owner("o").ttl(BRIEF))
                        .acquire()
                        .release())
                .isTrue();
        assertThat(backdoor.pttl(lockKey())).as("the recorded end of the hold").isGreaterThan(STILL_LONG);
    }

    private Lease shortensNothing(Function<Holdfast, DistributedLock> lock) {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire).once().copyLate();
        Lease lease = lock.apply(behind(network)).acquire();
        lease.renew(LONG);

        assertThat(network.letGo()).hasSize(1).first().asString().contains("granted");
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(STILL_LONG);
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        return lease;
    }

    @Test
    void renew_beyondTheLongestTtl_isRefusedAndChangesNothing() {
        Lease lease = renewable(locks).acquire();
        assertThatThrownBy(() -> lease.renew(LONG.plusMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxTtl");
        assertThat(backdoor.pttl(lockKey())).isLessThanOrEqualTo(8_000);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void ttl_largerThanTheLeaseMaySet_isCutDownByTheNextContender() {
        locks.tryLock(key, BRIEF).orElseThrow().onLost(reason -> {});
        raw().call("PEXPIRE", lockKey(), "120000");
        assertThat(another().tryLock(key, LONG)).isEmpty();
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, 5_000L);
    }

    @Test
    void ttl_takenAwayFromOurs_isSetByTheNextContenderOfAnOwner() {
        locks.tryLock(key, BRIEF).orElseThrow().onLost(reason -> {});
        raw().call("PERSIST", lockKey());
        assertThat(another().lock(key, options -> options.owner("o").ttl(LONG)).tryAcquire())
                .isEmpty();
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, 5_000L);
    }

    @Test
    void ttl_takenAwayFromAnUnfencedLock_isSetByAnUnfencedContenderThatWaits() {
        DistributedLock brief = locks.lock(key, options -> options.ttl(ms(700)).fencing(false));
        Lease lease = brief.acquire();
        raw().call("PERSIST", lockKey());

        assertThat(another()
                        .lock(key, options -> options.ttl(LONG).fencing(false))
                        .tryAcquire(Duration.ofSeconds(20)))
                .as("the dead holder's lock ends after all")
                .isPresent();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void ttl_withTolerance_isNotMistakenForTooLarge() {
        Lease lease =
                locks.lock(key, options -> options.ttl(BRIEF).tolerance(LONG)).acquire();
        assertThat(another().tryLock(key, BRIEF)).isEmpty();
        assertThat(lease.remaining()).isLessThanOrEqualTo(BRIEF);
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(STILL_LONG);
    }

    @Test
    void ttl_ofAForeignLock_isNeverTouched() {
        for (String value : new String[] {"redlock-4711", "abc.500~not/ours", "uuid.1000", "#1"}) {
            backdoor.set(lockKey(), value, 120_000);
            assertThat(locks.tryLock(key, BRIEF)).isEmpty();
            assertThat(locks.lock(key, options -> options.owner("o").ttl(BRIEF)).tryAcquire())
                    .isEmpty();
            assertThat(backdoor.pttl(lockKey())).as(value).isGreaterThan(60_000);
            backdoor.set(lockKey(), value, 0);
            assertThat(locks.tryLock(key, BRIEF)).isEmpty();
            assertThat(backdoor.pttl(lockKey())).as(value).isEqualTo(-1);
        }
    }
}
