// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.Lookout;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another connector; who extends it changes a part of that. */
abstract class ForwardingConnector implements RedisConnector {
    final RedisConnector inner;

    ForwardingConnector(RedisConnector inner) {
        this.inner = inner;
    }

    @Override
    public CompletionStage<@Nullable Object> send(RedisCommand command) {
        return inner.send(command);
    }

    @Override
    public Subscription subscribe(String channel, Subscriber subscriber) {
        return inner.subscribe(channel, subscriber);
    }

    @Override
    public boolean blocking() {
        return inner.blocking();
    }

    @Override
    public Lookout lookout() {
        return inner.lookout();
    }

    @Override
    public Duration commandTimeout() {
        return inner.commandTimeout();
    }

    @Override
    public String endpoint() {
        return inner.endpoint();
    }

    @Override
    public void close() {
        inner.close();
    }
}
