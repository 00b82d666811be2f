// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/**
 * Told what happens to a subscription, one call at a time, on a thread of the connector's, or one that listens in its place
 * ({@link Subscription#listenFor}), which must not be held up. Whatever a subscriber throws is the connector's to catch: it never ends a subscription.
 */
public interface Subscriber {

    /** The server has confirmed: every message published from now on arrives, as long as the connection lives. Comes first. */
    void subscribed();

    /** A message; in the order in which they were published. */
    void message(String text);

    /**
     * The subscription is over: refused ({@link RedisReplyException}) or broken ({@link RedisConnectionException}). The last
     * call, and at most one; none after {@link Subscription#close()}. May come before {@link RedisConnector#subscribe} returns.
     */
    void ended(RuntimeException cause);
}
