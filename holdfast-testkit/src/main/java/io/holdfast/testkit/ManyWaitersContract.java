// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** 200 threads of two processes wait for a holder that is killed, some of them not to the end: row 26 of the matrix. */
@NullUnmarked
public abstract class ManyWaitersContract extends ProcessFaultContract {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int WAITERS = 200;

    private enum End {
        HAD_IT,
        INTERRUPTED,
        OUT_OF_TIME
    }

    private final List<Long> grants = new CopyOnWriteArrayList<>();
    private Set<Thread> threads;
    private Set<String> channels;
    private List<Holdfast> processes;

    @BeforeEach
    void holdAndListen() {
        threads = threads();
        channels = channels();
        processes = List.of(listener(), listener());
        holder.hold(key, LEASE);
    }

    @Test
    void holderKilled_allWaitersGetTheLockInTime() throws Exception {
        List<Worker<End>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(waiter(i, LONG));
        }
        awaitWaiting(WAITERS);

        long killed = holder.kill();

        assertThat(ends(waiters)).containsOnly(End.HAD_IT);
        Duration last = since(killed, WAITERS - 1);
        say("200 waiters, ttl 2500 ms: the first after " + since(killed, 0).toMillis() + " ms, the last after "
                + last.toMillis() + " ms");
        assertThat(since(killed, 0)).as("the first").isLessThan(LEASE.plusMillis(500));
        assertThat(last).as("the last").isLessThan(LEASE.plusSeconds(5));
        assertNobodyAndNothingIsLeft();
    }

    /** They leave all the time, also while the lock is on its way to one of them. */
    @Test
    void holderKilled_halfInterruptedAndAQuarterOutOfTime_theOthersGetTheLockAndNothingIsLeft() throws Exception {
        List<Worker<End>> staying = new ArrayList<>();
        List<Worker<End>> interrupted = new ArrayList<>();
        List<Worker<End>> hurried = new ArrayList<>();
        for (int i = 0; i < WAITERS * 3 / 4; i++) {
            (i % 3 == 0 ? staying : interrupted).add(waiter(i, LONG));
        }
        awaitWaiting(WAITERS * 3 / 4);
        for (int i = 0; i < WAITERS / 4; i++) {
            hurried.add(waiter(i, ms(400 + 40 * i)));
        }

        long killed = holder.kill();
        interrupted.subList(0, WAITERS / 4).forEach(Worker::interrupt);
        await().until(() -> !grants.isEmpty());
        interrupted.subList(WAITERS / 4, WAITERS / 2).forEach(Worker::interrupt);

        assertThat(ends(staying)).containsOnly(End.HAD_IT);
        List<End> early = ends(interrupted.subList(0, WAITERS / 4));
        List<End> late = ends(interrupted.subList(WAITERS / 4, WAITERS / 2));
        List<End> timed = ends(hurried);
        say("50 stay, 100 interrupted, 50 with 0.4 to 2.4 s, ttl 2500 ms: the first after "
                + since(killed, 0).toMillis() + " ms, the last of " + grants.size() + " after "
                + since(killed, grants.size() - 1).toMillis() + " ms");
        assertThat(early).contains(End.INTERRUPTED).doesNotContain(End.OUT_OF_TIME);
        assertThat(late).doesNotContain(End.OUT_OF_TIME);
        assertThat(timed).contains(End.OUT_OF_TIME).doesNotContain(End.INTERRUPTED);
        assertThat(since(killed, 0)).as("the first").isLessThan(LEASE.plusMillis(500));
        assertThat(since(killed, grants.size() - 1)).as("the last").isLessThan(LEASE.plusSeconds(5));
        assertNobodyAndNothingIsLeft();
    }

    private Worker<End> waiter(int number, Duration wait) {
        Holdfast process = processes.get(number % 2);
        return Worker.start(() -> {
            try (Lease lease = process.lock(key, options -> options.ttl(TTL)).acquire(wait)) {
                grants.add(System.nanoTime());
                lease.ensureHeld();
                return End.HAD_IT;
            } catch (LockNotAcquiredException e) {
                return e.getCause() instanceof InterruptedException ? End.INTERRUPTED : End.OUT_OF_TIME;
            }
        });
    }

    private void awaitWaiting(int count) {
        await().until(() ->
                processes.stream().mapToInt(Holdfast::waitingAcquires).sum() == count);
        await().until(() -> queued().size() == processes.size());
    }

    private static List<End> ends(List<Worker<End>> workers) throws Exception {
        List<End> ends = new ArrayList<>();
        for (Worker<End> worker : workers) {
            ends.add(worker.result());
        }
        return ends;
    }

    private Duration since(long killed, int grant) {
        return Duration.ofNanos(grants.get(grant) - killed);
    }

    private static void say(String text) {
        System.out.println("row 26: " + text);
    }

    /** Neither while the processes live nor after. */
    private void assertNobodyAndNothingIsLeft() {
        assertNothingLeft();
        for (Holdfast process : processes) {
            await().until(() -> process.waitingAcquires() == 0 && process.heldLeases() == 0);
        }
        await().untilAsserted(
                        () -> assertThat(channels()).as("one of each process").hasSize(channels.size() + 2));
        processes.forEach(Holdfast::close);
        await().untilAsserted(() -> assertThat(channels()).isEqualTo(channels));
        await().untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
    }

    private static Set<Thread> threads() {
        Predicate<Thread> ours = thread ->
                thread.getName().startsWith("holdfast-") || thread.getName().equals("contract-worker");
        return Thread.getAllStackTraces().keySet().stream().filter(ours).collect(Collectors.toSet());
    }
}
