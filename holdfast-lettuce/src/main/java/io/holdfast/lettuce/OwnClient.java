// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisAddress;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The Lettuce client a connector has when the application brings none. */
final class OwnClient {
    private final RedisURI uri;
    private final Outbox outbox = new Outbox();
    /** One thread for commands and word: who hears of a turn asks on the same thread, and the {@link Outbox} needs no other. */
    private final SharedLoops threads;

    private final ClientResources resources;
    private final RedisClient client;

    OwnClient(RedisAddress address, SharedLoops threads) {
        this.threads = threads;
        uri = uri(address);
        resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(threads)
                .nettyCustomizer(outbox)
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        client = new BareClient(resources, uri);
        client.setOptions(options(address));
    }

    /** For commands. Closing it ends the client, and whatever listens on it. */
    Link link() {
        Link link = new ReopeningLink(
                () -> client.connectAsync(ByteArrayCodec.INSTANCE, uri), connection -> shutDown(), outbox::write);
        return new WatchedLink(link, threads.replies());
    }

    /** One more connection, to listen on. */
    CompletionStage<StatefulRedisPubSubConnection<String, String>> listen() {
        return client.connectPubSubAsync(StringCodec.UTF8, uri);
    }

    private static ClientOptions options(RedisAddress address) {
        return ClientOptions.builder()
                // "At most once". With it on, Lettuce writes what was in flight once more after a reconnect, when the
                // engine may long have given the command up. ReopeningLink connects again instead.
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                // The engine has its own time limit, and wants to see the replies that come after it.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                // Nothing here needs RESP3, and servers and proxies without HELLO exist.
                .protocolVersion(ProtocolVersion.RESP2)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(address.timeout())
                        .keepAlive(true)
                        .build())
                .build();
    }

    static RedisURI uri(RedisAddress address) {
        RedisURI.Builder builder = RedisURI.builder()
                .withHost(address.host())
                .withPort(address.port())
                .withDatabase(address.database())
                .withTimeout(address.timeout())
                .withSsl(address.tls())
                .withVerifyPeer(SslVerifyMode.FULL);
        if (address.password() != null) {
            // Not as plain text: Lettuce would look it up on another thread, greet the server from there, and hand
            // out a connection before its event loop knows of it. Commands on that are rejected.
            char[] password = address.password().toCharArray();
            builder.withAuthentication(new StaticCredentialsProvider(address.user(), password));
        }
        return builder.build();
    }

    private void shutDown() {
        try {
            client.shutdownAsync(0, 1, TimeUnit.SECONDS).get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Called from one of the client's own threads, or a socket that does not close: they end without us.
        }
        Future<?> unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
        unused = threads.shutdown(0, 1, TimeUnit.SECONDS); // brought along, so not the resources' to end
    }
}
