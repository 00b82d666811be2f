// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A Redis client library as the engine sees it. Thread-safe. Creating one does no I/O: a server that is down is told by
 * the first command, not by the constructor.
 *
 * <p>Replies are {@link Long}, {@link String}, {@code null} or a {@link java.util.List} of these. An error reply completes
 * the stage with {@link RedisReplyException}; anything that left the outcome unknown, or kept the command from being
 * sent, with {@link RedisConnectionException}. Nothing else may come out, and nothing is thrown.
 */
public interface RedisConnector extends AutoCloseable {

    /**
     * Sends one command. When {@link #blocking()} is false this returns at once; the engine adds its own time limit, so
     * a reply that comes late must still complete the stage (the engine uses it to stop cleaning up after an abandoned
     * acquire).
     */
    CompletionStage<@Nullable Object> send(RedisCommand command);

    /**
     * Listens on a channel, over a connection of its own: a connection that also carries commands could neither be pinged nor
     * closed for its own sake. Returns at once; what follows, failures included, is told to the subscriber. A connection that
     * broke is not replaced behind the subscriber's back: the messages lost meanwhile would never be missed.
     */
    Subscription subscribe(String channel, Subscriber subscriber);

    /**
     * True when {@link #send} does its I/O on the calling thread and returns a completed stage. The engine then calls it
     * from the application's own thread, or from a thread of its own that may block, never from its timer.
     */
    boolean blocking();

    /** How long one command may take before it counts as unanswered. */
    Duration commandTimeout();

    /**
     * How a thread that waits for the answer to its command looks for it before it sleeps. Of no use where {@link #blocking()} is
     * true: such a client waits inside of {@link #send}. A connector that has one tells it of each command.
     */
    default Lookout lookout() {
        return Lookout.none();
    }

    /** Where this connects to, without credentials; shown in errors and logs. */
    String endpoint();

    /** Closes what the connector opened itself, subscriptions included, never what the application handed in. */
    @Override
    void close();
}
