// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.lettuce.core.RedisAsyncCommandsImpl;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubAsyncCommandsImpl;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client whose connections only dispatch. Lettuce gives every connection three faces (sync, async, reactive) of several
 * hundred commands each; loading them takes most of the first connect, on the thread that sends the first command.
 */
final class BareClient extends RedisClient {
    BareClient(ClientResources resources, RedisURI uri) {
        super(resources, uri);
    }

    @Override
    protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
            RedisChannelWriter writer, PushHandler pushHandler, RedisCodec<K, V> codec, Duration timeout) {
        return new BareConnection<>(writer, pushHandler, codec, timeout);
    }

    @Override
    protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
            PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
        return new BareListener<>(endpoint, writer, codec, timeout);
    }

    private static final class BareConnection<K, V> extends StatefulRedisConnectionImpl<K, V> {
        BareConnection(RedisChannelWriter writer, PushHandler pushHandler, RedisCodec<K, V> codec, Duration timeout) {
            super(writer, pushHandler, codec, timeout);
        }

        @Override
        protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }

        @Override
        protected @Nullable RedisAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
            return null;
        }

        @Override
        protected @Nullable RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
            return null;
        }
    }

    private static final class BareListener<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {
        BareListener(
                PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
            super(endpoint, writer, codec, timeout);
        }

        @Override
        protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }

        @Override
        protected @Nullable RedisPubSubAsyncCommandsImpl<K, V> newRedisAsyncCommandsImpl() {
            return null;
        }

        @Override
        protected @Nullable RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
            return null;
        }
    }
}
