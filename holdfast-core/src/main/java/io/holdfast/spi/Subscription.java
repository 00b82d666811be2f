// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.concurrent.CompletionStage;

/** A connection that listens on one channel. Thread-safe. */
public interface Subscription extends AutoCloseable {

    /**
     * Asks the server for a sign of life over this very connection; completes when it comes, or fails when it can't be asked
     * for, as the {@link RedisConnector} describes. A connection that is half-open leaves the stage open. Never blocks.
     */
    CompletionStage<?> ping();

    /** Stops listening and closes the connection, in the background. Never blocks, never throws. */
    @Override
    void close();
}
