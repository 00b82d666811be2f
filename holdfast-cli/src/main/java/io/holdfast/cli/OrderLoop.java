// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.cli.Event.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a worker does with one order, over and over: take its lock, work, write a fenced value, give the lock back; each
 * step recorded. Times are those of the caller, who may rely on the lock from the moment its acquire has returned until
 * the moment before it sends the release.
 */
final class OrderLoop implements Runnable {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(10);
    private static final int LONGEST_HOLD_MILLIS = 20;
    private static final int LONGEST_BREAK_MILLIS = 10;

    private final Holdfast holdfast;
    private final History history;
    private final Order order;
    private final Random random;
    private final long pid = ProcessHandle.current().pid();
    private volatile boolean linger;
    private volatile boolean stopping;

    /** The name in histories, the key that is locked, and the Redis key of the value it protects. */
    record Order(String lock, String key, String valueKey) {}

    OrderLoop(Holdfast holdfast, History history, Order order, long seed) {
        this.holdfast = holdfast;
        this.history = history;
        this.order = order;
        this.random = new Random(seed);
    }

    String lock() {
        return order.lock;
    }

    void lingerNext() {
        linger = true;
    }

    void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                record(Kind.INVOKED, 0, 0);
                Optional<Lease> lease = holdfast.tryLock(order.key, Demo.TTL, WAIT, RETRY);
                if (lease.isPresent()) {
                    hold(lease.get());
                }
                pause(1 + random.nextInt(LONGEST_BREAK_MILLIS));
            } catch (LockException | IllegalStateException e) {
                // Redis is away, or this worker is being closed.
                record(Kind.FAILED, 0, 0);
                pause(100);
            }
        }
    }

    private void hold(Lease lease) {
        long token = lease.fencingToken();
        long grantedAt = System.nanoTime();
        long validUntil = grantedAt + lease.remaining().toNanos();
        history.record(new Event(grantedAt, Kind.GRANTED, pid, order.lock, token, validUntil));
        try {
            record(Kind.ENTERED, token, 0);
            work(lease);
            write(lease);
        } finally {
            record(Kind.LEFT, token, 0);
            record(lease.release() ? Kind.RELEASED : Kind.LOST, token, 0);
        }
    }

    private void work(Lease lease) {
        if (linger) {
            linger = false;
            record(Kind.LINGERING, lease.fencingToken(), 0);
            while (lease.isHeld() && !stopping) {
                pause(5);
            }
        } else {
            pause(1 + random.nextInt(LONGEST_HOLD_MILLIS));
        }
    }

    /** Writes whether or not the lease is still held: a careless application, which the store has to stop. */
    private void write(Lease lease) {
        long begunAt = System.nanoTime();
        boolean held = lease.isHeld();
        history.record(new Event(begunAt, Kind.WRITING, pid, order.lock, lease.fencingToken(), held ? 1 : 0));
        boolean accepted = holdfast.fencedStore().set(order.valueKey, "written by " + pid, lease.fencingToken());
        record(accepted ? Kind.WRITTEN : Kind.REJECTED, lease.fencingToken(), 0);
    }

    private void record(Kind kind, long token, long value) {
        history.record(new Event(System.nanoTime(), kind, pid, order.lock, token, value));
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
