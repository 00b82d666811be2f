// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** A connection that listens on one channel. Thread-safe. */
public interface Subscription extends AutoCloseable {

    /**
     * Asks the server for a sign of life over this very connection; completes when it comes, or fails when it can't be asked
     * for, as the {@link RedisConnector} describes. A connection that is half-open leaves the stage open. Never blocks.
     */
    CompletionStage<?> ping();

    /**
     * Lets the calling thread listen in place of the connector's own, for a moment at most and until that is heard: a thread less
     * to wake. Where a connector has no use for it nothing happens. The subscriber is told on the calling thread then, one call at
     * a time still. Never waits for anything else.
     */
    default void listenFor(BooleanSupplier heard) {}

    /**
     * Hears what has come in by now, should the connector's own thread leave that to callers at the moment, which lasts a little
     * longer than {@link #listenFor}: then it is true, and more may be on its way. Never blocks.
     */
    default boolean glance() {
        return false;
    }

    /** Stops listening and closes the connection, in the background. Never blocks, never throws. */
    @Override
    void close();
}
