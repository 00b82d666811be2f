// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.SubscriptionContract;
import io.holdfast.testkit.TestServers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;

/** Listening with a connection out of a pool that belongs to the application. */
@ParameterizedClass(name = "{0}")
@EnumSource
@SuppressWarnings("deprecation") // JedisPool is what applications have
class ApplicationSubscriptionTest extends SubscriptionContract {
    enum Kind {
        JEDIS_POOL,
        REDIS_CLIENT_RESP2,
        REDIS_CLIENT_RESP3
    }

    @Parameter
    Kind kind;

    private final List<AutoCloseable> clients = new ArrayList<>();

    @Override
    protected Target target() {
        return new Target(TestServers.embedded(), this::using);
    }

    private RedisConnector using(RedisAddress address) {
        HostAndPort server = new HostAndPort(address.host(), address.port());
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                .timeoutMillis((int) address.timeout().toMillis())
                .user(address.user())
                .password(address.password())
                .database(address.database())
                .protocol(kind == Kind.REDIS_CLIENT_RESP3 ? RedisProtocol.RESP3 : RedisProtocol.RESP2)
                .build();
        if (kind == Kind.JEDIS_POOL) {
            JedisPool pool = new JedisPool(server, config);
            clients.add(pool);
            return JedisConnector.using(pool, address.timeout());
        }
        RedisClient client =
                RedisClient.builder().hostAndPort(server).clientConfig(config).build();
        clients.add(client);
        return JedisConnector.using(client, address.timeout());
    }

    /** A pool replaces a connection that is given back broken; the new one does not listen. */
    @Override
    protected long leftOver(RawRedis raw) {
        return String.valueOf(raw.call("CLIENT", "LIST", "TYPE", "pubsub"))
                .lines()
                .filter(line -> !line.isBlank())
                .count();
    }

    @AfterEach
    void closeClients() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
    }
}
