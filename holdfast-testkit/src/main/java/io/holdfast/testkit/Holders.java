// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts leases by key, so that the test kit can return only when a holder has been told. */
final class Holders implements LockListener {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    // Guarded by this.
    private final Map<String, LockOptions> latest = new HashMap<>();
    private final Map<String, Integer> begun = new HashMap<>();
    private final Map<String, Integer> ended = new HashMap<>();

    @Override
    public synchronized void acquired(LockEvent event) {
        begun.merge(event.key(), 1, Integer::sum);
        latest.put(event.key(), event.options());
    }

    @Override
    public void released(LockEvent event) {
        ended(event);
    }

    @Override
    public void releaseFailed(LockEvent event) {
        ended(event);
    }

    @Override
    public void lost(LockEvent event) {
        ended(event);
    }

    private synchronized void ended(LockEvent event) {
        ended.merge(event.key(), 1, Integer::sum);
        notifyAll();
    }

    /** How many leases of that key there have been. */
    synchronized int begun(String key) {
        return begun.getOrDefault(key, 0);
    }

    /** Options of the last lease of that key that was granted. */
    synchronized Optional<LockOptions> options(String key) {
        @Nullable LockOptions found = latest.get(key);
        return Optional.ofNullable(found);
    }

    /** Returns once that many leases of a key are over and their holders know. */
    synchronized void awaitEnded(String key, int count) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        boolean interrupted = false;
        while (ended.getOrDefault(key, 0) < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                throw new IllegalStateException("the holder of " + key + " was not told within " + PATIENCE);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
