// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What ShedLock asks of a provider, and what it does not. */
@HoldfastTest
class HoldfastLockProviderTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private Holdfast locks;
    private HoldfastLockProvider provider;

    @BeforeEach
    void open(Holdfast server) {
        locks = server;
        provider = new HoldfastLockProvider(server);
    }

    private static LockConfiguration job(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), "report", atMost, atLeast);
    }

    private boolean isTaken() {
        return locks.inspect("job-lock:report").isHeld();
    }

    @Test
    void lock_taken_isRefusedUntilItIsUnlocked() {
        for (int run = 0; run < 10; run++) {
            SimpleLock lock = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();
            assertThat(provider.lock(job(LONG, Duration.ZERO))).isEmpty();
            lock.unlock();
            assertThat(isTaken()).isFalse();
        }
    }

    @Test
    void lock_ofAJobThatDied_endsAfterLockAtMostFor() {
        assertThat(provider.lock(job(Duration.ofMillis(200), Duration.ZERO))).isPresent();

        await().until(() -> provider.lock(job(LONG, Duration.ZERO)).isPresent());
    }

    @Test
    void lockAtLeastFor_unlockedEarly_endsThen() {
        long before = System.nanoTime();
        provider.lock(job(LONG, Duration.ofMillis(500))).orElseThrow().unlock();

        await().until(() -> provider.lock(job(LONG, Duration.ZERO)).isPresent());
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(500));
    }

    @Test
    void lockAtLeastFor_overBeforeTheUnlock_freesAtOnce() {
        SimpleLock lock = provider.lock(job(LONG, Duration.ofNanos(1))).orElseThrow();

        lock.unlock();

        assertThat(isTaken()).isFalse();
    }

    @Test
    void extend_lengthensTheLockBeyondWhatItWasTakenFor() {
        SimpleLock first =
                provider.lock(job(Duration.ofSeconds(30), Duration.ZERO)).orElseThrow();

        SimpleLock longer = first.extend(LONG, Duration.ZERO).orElseThrow();

        assertThat(locks.held().get(0).remaining()).isGreaterThan(Duration.ofMinutes(9));
        assertThatIllegalStateException().as("used up").isThrownBy(first::unlock);
        assertThatIllegalStateException().isThrownBy(() -> first.extend(LONG, Duration.ZERO));
        longer.unlock();
        assertThat(isTaken()).isFalse();
    }

    @Test
    void extend_withLockAtLeastFor_isKeptThatLong() {
        SimpleLock first = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();

        first.extend(LONG, Duration.ofSeconds(30)).orElseThrow().unlock();

        assertThat(isTaken()).isTrue();
        assertThat(locks.held()).as("nobody holds it").isEmpty();
    }

    @Test
    void extend_unlocked_isRefused() {
        SimpleLock lock = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();
        lock.unlock();

        assertThatIllegalStateException().isThrownBy(() -> lock.extend(LONG, Duration.ZERO));
        assertThat(isTaken()).isFalse();
    }

    @Test
    void manyThreads_runTheJobOneAtATime() {
        int[] counter = {0}; // what a lost update would show
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(CompletableFuture.runAsync(() -> {
                for (int done = 0; done < 25; ) {
                    Optional<SimpleLock> lock = provider.lock(job(LONG, Duration.ofMillis(1)));
                    if (lock.isPresent()) {
                        counter[0]++;
                        lock.get().unlock();
                        done++;
                    }
                }
            }));
        }
        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(60));
        assertThat(counter[0]).isEqualTo(100);
    }

    @Test
    void lockAtLeastFor_unlockedEarly_staysTakenAlsoWithoutTheProcess(EmbeddedRedis server) {
        try (Holdfast process = Holdfast.connect(server.uri())) {
            new HoldfastLockProvider(process)
                    .lock(job(LONG, Duration.ofSeconds(30)))
                    .orElseThrow()
                    .unlock();
        }

        assertThat(provider.lock(job(LONG, Duration.ZERO))).isEmpty();
        assertThat(locks.inspect("job-lock:report").holder().ttl()).isBetween(Duration.ZERO, Duration.ofSeconds(30));
    }

    @Test
    void job_isHeldForLockAtMostForAndSeenUnderItsName() {
        assertThat(provider.lock(job(LONG, Duration.ZERO))).isPresent();

        assertThat(locks.held()).singleElement().satisfies(lease -> {
            assertThat(lease.key()).isEqualTo("job-lock:report");
            assertThat(lease.label()).isEqualTo("job-lock");
            assertThat(lease.remaining()).isBetween(Duration.ofMinutes(9), LONG);
        });
    }

    @Test
    void unlock_afterTheLockWasLost_neverFreesTheNextRun() {
        SimpleLock overdue = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();
        locks.forceRelease("job-lock:report");
        assertThat(provider.lock(job(LONG, Duration.ZERO))).isPresent();

        overdue.unlock();

        assertThat(provider.lock(job(LONG, Duration.ZERO)))
                .as("the next run goes on")
                .isEmpty();
    }

    @Test
    void extend_ofALockThatWasLost_isEmpty() {
        SimpleLock overdue = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();
        locks.forceRelease("job-lock:report");

        assertThat(overdue.extend(LONG, Duration.ZERO)).isEmpty();
    }

    @Test
    void prefixes_keepJobsOfTheSameNameApart() {
        HoldfastLockProvider staging = new HoldfastLockProvider(locks, "staging");

        assertThat(provider.lock(job(LONG, Duration.ZERO))).isPresent();
        assertThat(staging.lock(job(LONG, Duration.ZERO))).isPresent();
    }

    @Test
    void lock_serverDown_isAnErrorAndNotASkippedJob(EmbeddedRedis server) {
        server.kill();

        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> provider.lock(job(LONG, Duration.ZERO)));
    }

    @Test
    void keepAlive_aroundIt_extendsWhileTheJobRuns(RedisAddress server) throws Throwable {
        AtomicInteger renewals = new AtomicInteger();
        LockListener counting = new LockListener() {
            @Override
            public void renewed(LockEvent event) {
                renewals.incrementAndGet();
            }
        };
        HandTimer timer = new HandTimer();
        try (Holdfast process =
                Holdfast.builder().address(server).listener(counting).build()) {
            KeepAliveLockProvider keepAlive = new KeepAliveLockProvider(new HoldfastLockProvider(process), timer);
            new DefaultLockingTaskExecutor(keepAlive)
                    .executeWithLock(
                            (Runnable) () -> {
                                timer.ring();
                                timer.ring();
                                assertThat(keepAlive.lock(job(LONG, Duration.ZERO)))
                                        .isEmpty();
                            },
                            job(LONG, Duration.ZERO));
            assertThat(renewals).hasValue(2);
            assertThat(isTaken()).isFalse();
        } finally {
            timer.shutdownNow();
        }
    }

    /** Does what is to be done every five minutes when the test says so. */
    private static final class HandTimer extends ScheduledThreadPoolExecutor {
        private final AtomicReference<Runnable> task = new AtomicReference<>();

        HandTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
            task.set(command);
            return super.scheduleAtFixedRate(command, delay, period, unit);
        }

        void ring() {
            task.get().run();
        }
    }
}
