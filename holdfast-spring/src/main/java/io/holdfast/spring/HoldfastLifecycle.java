// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Ends locks at the right moment of a shutdown: after those who take them (web server, schedulers, message listeners; their
 * phases are higher), before the Redis client (Spring Data's connection factories stop in phase 0). What {@link Holdfast#close}
 * does happens then: no more acquires, a wait for holders, the rest is given up.
 *
 * <p>A context that is only stopped or paused, to be started again, keeps its locks open: then this just waits for holders.
 */
public final class HoldfastLifecycle implements SmartLifecycle {
    /** Later than everything that has a phase for serving somebody, earlier than Redis. */
    public static final int PHASE = 1024;

    private static final Duration GLANCE = Duration.ofMillis(5);

    private final Holdfast locks;
    private final ApplicationContext context;
    private final Duration patience;
    private final int phase;
    private volatile boolean running;

    /**
     * For one context.
     *
     * @param patience how long a mere stop waits for holders; the end of the context waits as {@code locks} was built
     */
    public HoldfastLifecycle(Holdfast locks, ApplicationContext context, Duration patience, int phase) {
        this.locks = locks;
        this.context = context;
        this.patience = patience;
        this.phase = phase;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (context instanceof ConfigurableApplicationContext known && !known.isClosed()) {
            awaitHolders();
        } else {
            locks.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    private void awaitHolders() {
        long startedAt = System.nanoTime();
        while (locks.heldLeases() > 0
                && Duration.ofNanos(System.nanoTime() - startedAt).compareTo(patience) < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(GLANCE.toNanos());
        }
    }
}
