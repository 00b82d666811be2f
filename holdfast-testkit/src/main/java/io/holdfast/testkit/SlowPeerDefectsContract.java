// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The slow ones of the defects seen in other lock libraries: 1, 10 and 11. */
public abstract class SlowPeerDefectsContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(60);

    @Test
    void defect1_aHeldLeaseAfterTwentyThousandCycles_isRenewedEveryThirdOfItsTtlAndNoMore() {
        DistributedLock lock = locks.lock(key, options -> options.ttl(ms(3_000)).renew(true));
        for (int i = 0; i < 20_000; i++) {
            lock.acquire().close();
        }
        try (Monitor monitor = monitor()) {
            Lease held = lock.acquire();
            long before = System.nanoTime();
            elapse(ms(5_500));
            double seconds = (System.nanoTime() - before) / 1e9;
            long renewals = verbs(monitor).stream().filter("renew"::equals).count();
            assertThat(renewals).as("one a second in %s s", seconds).isBetween(3L, (long) seconds + 1);
            assertThat(held.release()).isTrue();
        }
    }

    @Test
    void defect10_fiveHundredNamesWaitedForAtOnce_areAllAcquired() throws InterruptedException {
        Holdfast holder = another();
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            held.add(holder.tryLock(key + ":" + i, TTL).orElseThrow());
        }
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            DistributedLock lock = locks.lock(
                    key + ":" + i,
                    options -> options.ttl(TTL).wait(Duration.ofSeconds(50)).retryInterval(ms(250)));
            CompletableFuture<Boolean> acquired = new CompletableFuture<>();
            waiting.add(acquired);
            Thread thread = new Thread(() -> acquired.complete(
                    lock.tryAcquire().filter(Lease::isHeld).map(Lease::release).orElse(false)));
            threads.add(thread);
            thread.start();
        }
        await().until(() -> backdoor.keysContaining(":queue:").size() >= 500);
        held.forEach(Lease::release);

        for (int i = 0; i < 500; i++) {
            threads.get(i).join(TimeUnit.SECONDS.toMillis(60));
            assertThat(waiting.get(i).getNow(false)).as("waiter %s", i).isTrue();
        }
        await().until(() -> backdoor.keysContaining(key).isEmpty());
    }

    @Test
    void defect11_releaseAtMaxmemory_freesTheLock() {
        try (EmbeddedRedis full = target().version().builder().start();
                RedisFixture there = on(full)) {
            Lease lease = at(there.address()).tryLock(key, TTL).orElseThrow();
            there.raw().call("CONFIG", "SET", "maxmemory", "1");
            assertThat(lease.release()).isTrue();
            assertThat(there.raw().exists(lockKey())).isFalse();
        }
    }
}
