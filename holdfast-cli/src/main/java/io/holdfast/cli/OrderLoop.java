// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import io.holdfast.testkit.history.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a worker does with one order, over and over: take its lock, work, write a fenced value, give the lock back; each
 * step recorded.
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
            Operation operation = history.next(order.lock);
            try {
                operation.invoked(WAIT);
                Optional<Lease> lease = holdfast.tryLock(order.key, Demo.TTL, WAIT, RETRY);
                if (lease.isPresent()) {
                    hold(lease.get(), operation);
                } else {
                    operation.record(Kind.BUSY);
                }
                pause(1 + random.nextInt(LONGEST_BREAK_MILLIS));
            } catch (LockException | IllegalStateException e) {
                // Redis is away, or this worker is being closed.
                operation.record(Kind.FAILED);
                pause(100);
            }
        }
    }

    private void hold(Lease lease, Operation operation) {
        operation.granted(lease);
        try {
            operation.record(Kind.ENTERED);
            work(lease, operation);
            write(lease, operation);
        } finally {
            operation.record(Kind.LEFT);
            operation.record(lease.release() ? Kind.RELEASED : Kind.LATE);
        }
    }

    private void work(Lease lease, Operation operation) {
        if (linger) {
            linger = false;
            operation.record(Kind.LINGERING);
            while (lease.isHeld() && !stopping) {
                pause(5);
            }
        } else {
            pause(1 + random.nextInt(LONGEST_HOLD_MILLIS));
        }
    }

    /** Writes whether or not the lease is still held: a careless application, which the store has to stop. */
    private void write(Lease lease, Operation operation) {
        operation.writing(lease);
        boolean accepted = holdfast.fencedStore().set(order.valueKey, "written by " + pid, lease.fencingToken());
        operation.record(accepted ? Kind.WRITTEN : Kind.REJECTED);
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
