// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Renewal on a server that works: how often, until when, and what ends it. */
public abstract class RenewalProtocolContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(30);

    private Lease renewed(Consumer<LockOptions.Builder> how) {
        return locks.lock(key, options -> {
                    options.ttl(TTL).renew(true);
                    how.accept(options);
                })
                .acquire();
    }

    /** Server times, in seconds, of the renewals of this test's key. */
    private List<Double> renewals(Monitor monitor) {
        return monitor.lines().stream()
                .filter(line -> !line.contains(" lua]")
                        && line.contains(key)
                        && Verbs.of(line).startsWith("renew"))
                .map(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
                .toList();
    }

    private void comesEvery(double seconds, Consumer<LockOptions.Builder> how) {
        try (Monitor monitor = monitor()) {
            Lease lease = renewed(how);
            await().until(() -> renewals(monitor).size() >= 4);
            List<Double> at = renewals(monitor);
            // On a busy machine one comes late and the next one seems early; but on the whole none are early, nor all
            // late.
            double shortest = IntStream.range(1, 4)
                    .mapToDouble(i -> at.get(i) - at.get(i - 1))
                    .min()
                    .orElseThrow();
            assertThat(shortest).isLessThan(seconds * 1.3);
            assertThat((at.get(3) - at.get(0)) / 3).isGreaterThan(seconds * 0.8);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    @Test
    void interval_isAThirdOfTheTtl() {
        comesEvery(0.5, options -> options.ttl(ms(1_500)));
    }

    @Test
    void interval_ofAnOwnersHold_isAThirdOfTheTtl() {
        comesEvery(0.5, options -> options.ttl(ms(1_500)).owner("o"));
    }

    @Test
    void interval_followsTheRatio() {
        comesEvery(0.6, options -> options.ttl(ms(1_500)).renewRatio(0.4));
    }

    @Test
    void interval_canBeGiven() {
        comesEvery(0.3, options -> options.renewEvery(ms(300)));
    }

    @Test
    void renewal_endsWithTheRelease() {
        try (Monitor monitor = monitor()) {
            Lease lease = renewed(options -> options.renewEvery(ms(100)));
            await().until(() -> renewals(monitor).size() >= 2);
            lease.release();
            await().until(() -> verbs(monitor).stream().anyMatch(verb -> verb.matches("release|DELEX|DELIFEQ")));
            int sent = verbs(monitor).size();
            elapse(ms(400));
            assertThat(verbs(monitor)).as("nothing after the release").hasSize(sent);
            assertThat(locks.heldLeases()).isZero();
        }
    }

    @Test
    void deletedKey_isToldWithinAnIntervalAndNeverComesBack() {
        Lease lease = renewed(options -> options.ttl(Duration.ofSeconds(30)).renewEvery(ms(200)));
        AtomicInteger told = new AtomicInteger();
        AtomicReference<String> thread = new AtomicReference<>("");
        AtomicReference<Boolean> heldInCallback = new AtomicReference<>();
        lease.onLost(reason -> {
            thread.set(Thread.currentThread().getName());
            heldInCallback.set(lease.isHeld());
            told.incrementAndGet();
        });
        try (Monitor monitor = monitor()) {
            backdoor.delete(lockKey());
            await().atMost(Duration.ofSeconds(15)).until(() -> told.get() > 0);

            assertThat(lease.lostReason()).contains(LostReason.GONE);
            assertThat(heldInCallback.get()).as("isHeld() in the callback").isFalse();
            assertThat(thread.get()).as("a thread of its own").startsWith("holdfast-callback");
            int sent = renewals(monitor).size();
            elapse(ms(500));
            assertThat(renewals(monitor)).as("renewal stops").hasSize(sent);
            assertThat(backdoor.exists(lockKey()))
                    .as("nothing brings the key back")
                    .isFalse();
            assertThat(told).hasValue(1);
            assertThat(lease.release()).isFalse();
        }
    }

    @Test
    void keyOfAnother_isToldAndLeftAlone() {
        Lease lease = renewed(options -> options.renewEvery(ms(150)));
        backdoor.set(lockKey(), "an administrator's", 60_000);
        await().until(() -> lease.lostReason().isPresent());
        assertThat(lease.lostReason()).contains(LostReason.GONE);
        assertThat(backdoor.get(lockKey())).isEqualTo("an administrator's");
    }

    @Test
    void maxHold_endsTheLeaseAndTheKeyWithIt() {
        Lease lease = renewed(options -> options.ttl(ms(2_000)).maxHold(ms(2_600)));
        long start = System.nanoTime();
        AtomicReference<LostReason> told = new AtomicReference<>();
        lease.onLost(told::set);
        await().until(() -> told.get() != null);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(ms(2_000));
        assertThat(told).hasValue(LostReason.MAX_HOLD);
        assertThat(lease.isHeld()).isFalse();
        await().until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void renewByHand_longerShorterAndTooLate() {
        Lease lease = locks.lock(
                        key, options -> options.ttl(Duration.ofSeconds(10)).maxTtl(Duration.ofSeconds(20)))
                .acquire();
        assertThat(lease.renew(Duration.ofSeconds(20))).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(10));
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(10_000);

        assertThat(lease.renew(ms(800))).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(ms(800));
        await().until(() -> lease.lostReason().isPresent());
        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
        assertThat(lease.renew(ms(800)))
                .as("after the loss, though the key lives on")
                .isFalse();
        assertThat(lease.release()).isFalse();
        await().atMost(Duration.ofSeconds(8)).until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void renewByHand_afterRelease_isFalseAndSendsNothing() {
        Lease lease = renewed(options -> {});
        lease.release();
        try (Monitor monitor = monitor()) {
            assertThat(lease.renew(TTL)).isFalse();
            raw().call("PING", key);
            await().until(() -> verbs(monitor).contains("PING"));
            assertThat(verbs(monitor)).containsExactly("PING");
        }
    }

    @Test
    void interruptOnLoss_interruptsTheThreadThatAcquired() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread holder = new Thread(() -> {
            Lease lease = renewed(options -> options.renewEvery(ms(100)).interruptOnLoss(true));
            held.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(!lease.isHeld());
            }
        });
        holder.start();
        held.await();
        backdoor.delete(lockKey());
        holder.join(20_000);
        assertThat(interrupted.get())
                .as("interrupted, with the lease no longer held")
                .isTrue();
    }

    @Test
    void blockingCallback_doesNotHoldUpOtherLosses() {
        CountDownLatch never = new CountDownLatch(1);
        try {
            AtomicInteger told = new AtomicInteger();
            for (int i = 0; i < 8; i++) {
                boolean blocks = i < 4;
                Lease doomed = locks.lock(
                                key + ":" + i,
                                options -> options.ttl(TTL).renew(true).renewEvery(ms(150)))
                        .acquire()
                        .onLost(reason -> {
                            told.incrementAndGet();
                            if (blocks) {
                                awaitQuietly(never);
                            }
                        });
                assertThat(doomed.isHeld()).isTrue();
            }
            Lease living = renewed(options -> options.renewEvery(ms(150)));
            for (int i = 0; i < 8; i++) {
                backdoor.delete(lockKey() + ":" + i);
            }
            await().until(() -> told.get() == 8);
            awaitRenewal(lockKey(), TTL);
            assertThat(living.isHeld())
                    .as("renewal goes on beside a callback that blocks")
                    .isTrue();
        } finally {
            never.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
