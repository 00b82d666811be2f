// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Runs on whatever client a connection factory of Spring Data Redis has at the moment. A context that is stopped and started
 * again (Spring's tests pause those they do not need just now) has its factory throw the client away and make another; this
 * lets go of the old one in time, and asks for the new one with the next command.
 */
abstract class FactoryConnector implements RedisConnector, SmartLifecycle {
    private volatile @Nullable RedisConnector current;
    private volatile boolean running;
    // Guarded by this.
    private boolean stopped;
    private boolean closed;

    /** A connector on the factory's client; no I/O. Throws what it likes while the factory has none. */
    abstract RedisConnector open();

    @Override
    public CompletionStage<@Nullable Object> send(RedisCommand command) {
        try {
            return current().send(command);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(notSent(command.name() + " was not sent", e));
        }
    }

    @Override
    public Subscription subscribe(String channel, Subscriber subscriber) {
        try {
            return current().subscribe(channel, subscriber);
        } catch (RuntimeException e) {
            RedisConnectionException failure = notSent("no subscription to " + channel, e);
            subscriber.ended(failure);
            return new Ended(failure);
        }
    }

    /** As an address is shown everywhere else. */
    static String endpoint(String host, int port, int database, boolean tls) {
        return new RedisAddress(host, port, null, null, database, tls, RedisAddress.DEFAULT_TIMEOUT).toString();
    }

    private RedisConnector current() {
        RedisConnector known = current;
        return known != null ? known : opened();
    }

    private synchronized RedisConnector opened() {
        RedisConnector known = current;
        if (known == null) {
            if (closed || stopped) { // until the factory stops too it would still hand out a client
                throw new IllegalStateException(closed ? "closed" : "stopped");
            }
            known = open();
            current = known;
        }
        return known;
    }

    /** Closes without the monitor: a thread of the client may want it before it can go on closing. */
    private void letGo(boolean forGood) {
        RedisConnector known;
        synchronized (this) {
            stopped = true;
            closed |= forGood;
            known = current;
            current = null;
        }
        if (known != null) {
            known.close();
        }
    }

    private RedisConnectionException notSent(String what, RuntimeException e) {
        return RedisConnectionException.notSent(what + ": no client for " + endpoint() + " at the moment", e);
    }

    @Override
    public void close() {
        letGo(true);
    }

    @Override
    public synchronized void start() {
        stopped = false;
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        letGo(false);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + endpoint() + "]";
    }

    private record Ended(RedisConnectionException failure) implements Subscription {
        @Override
        public CompletionStage<?> ping() {
            return CompletableFuture.failedFuture(failure);
        }

        @Override
        public void close() {
            // never was open
        }
    }
}
