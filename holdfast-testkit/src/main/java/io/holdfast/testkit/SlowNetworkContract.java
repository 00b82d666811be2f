// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.testkit.faults.Delay;
import io.holdfast.testkit.faults.ProxyRule;
import io.holdfast.testkit.faults.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A network that is slow, jittery, now and then slower than a lease lasts, and breaks connections: the promise holds all the same. */
public abstract class SlowNetworkContract extends ProxiedContract {
    private static final Duration TTL = Duration.ofSeconds(1);
    private static final Duration LONGER_THAN_THE_TTL = Duration.ofMillis(1_300);
    private static final Duration RUN = Duration.ofSeconds(3);
    private static final long SEED = 9;

    private final Claims claims = new Claims();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger toldOfLoss = new AtomicInteger();
    private final FencedRegister register = new FencedRegister();

    @Test
    void slowNetwork_breaksNoPromise() throws Exception {
        List<Holdfast> processes = List.of(
                behindNet(Duration.ofSeconds(2)), behindNet(Duration.ofSeconds(2)), behindNet(Duration.ofSeconds(2)));
        net.delay(Way.REQUESTS, new Delay(ms(2), ms(40), new Random(SEED)));
        net.delay(Way.REPLIES, new Delay(ms(2), ms(40), new Random(SEED + 1)));
        Random chance = new Random(SEED + 2);
        ProxyRule spikes = net.when(words -> words.contains(lockKey()) && oneIn(12, chance))
                .delayReply(LONGER_THAN_THE_TTL);
        List<Worker<Integer>> workers = new ArrayList<>();
        for (Holdfast process : processes) {
            workers.add(Worker.start(() -> work(process, true)));
            workers.add(Worker.start(() -> work(process, false)));
        }
        for (int i = 0; i < 4; i++) {
            elapse(RUN.dividedBy(5));
            net.resetNewest();
        }
        elapse(RUN.dividedBy(5));
        over.set(true);
        int grants = 0;
        for (Worker<Integer> worker : workers) {
            grants += worker.result();
        }

        assertThat(grants).as("it went on").isGreaterThan(2);
        assertThat(spikes.applied()).as("and was bad").isPositive();
        claims.assertOneAfterTheOther(); // P1, P2
        await().until(() -> toldOfLoss.get() == lost.get()); // P3
        net.calm();
        assertFreeSoon(); // P4
        for (Holdfast process : processes) {
            assertThat(process.waitingAcquires()).isZero();
        }
        await().until(() -> backdoor.keysContaining(key).isEmpty()); // P5
    }

    private static boolean oneIn(int count, Random chance) {
        return chance.nextInt(count) == 0;
    }

    private int work(Holdfast process, boolean renewed) {
        int grants = 0;
        while (!over.get()) {
            try {
                Lease lease = process.lock(key, options -> options.ttl(TTL).renew(renewed))
                        .acquire(Duration.ofSeconds(2));
                grants++;
                use(lease, renewed ? TTL.dividedBy(2) : TTL.dividedBy(10));
            } catch (LockNotAcquiredException | LockBackendException e) {
                assertThat(e.key()).isEqualTo(key); // busy for that long, or no answer in time
            }
        }
        return grants;
    }

    private void use(Lease lease, Duration work) {
        AtomicBoolean told = new AtomicBoolean();
        lease.onLost(reason -> {
            if (told.compareAndSet(false, true)) {
                toldOfLoss.incrementAndGet();
            }
        });
        boolean held = claims.watch(lease, work.toNanos());
        if (held) {
            assertThat(register.write(lease.fencingToken())).isTrue();
        }
        try {
            lease.release();
        } finally {
            if (lease.lostReason().isPresent()) {
                lost.incrementAndGet();
            }
        }
    }

    private void assertFreeSoon() {
        ready(locks);
        long start = System.nanoTime();
        try (Lease lease = locks.lock(key).acquire(Duration.ofSeconds(20))) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TTL.plusSeconds(5));
        }
    }
}
