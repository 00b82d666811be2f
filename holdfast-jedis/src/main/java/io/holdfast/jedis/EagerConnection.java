// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.Lookout;
import java.io.IOException;
import java.net.Socket;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A connection that is on the {@link Lookout} for its replies. */
final class EagerConnection extends Connection {
    private final Sockets sockets;
    /** Null while the superclass, being constructed, logs in. */
    private final @Nullable Lookout lookout;

    private EagerConnection(Sockets sockets, JedisClientConfig config, Lookout lookout) {
        super(sockets, config);
        this.sockets = sockets;
        this.lookout = lookout;
    }

    /** Makes them for a pool. */
    static ConnectionFactory factory(HostAndPort server, JedisClientConfig config, Lookout lookout) {
        return new ConnectionFactory(server, config) {
            @Override
            public PooledObject<Connection> makeObject() {
                return new DefaultPooledObject<>(new EagerConnection(new Sockets(server, config), config, lookout));
            }
        };
    }

    /** Sees only what Jedis has not read yet: of several replies it may have read all with the first, but then nobody looks. */
    @Override
    public @Nullable Object getOne() {
        Lookout eyes = lookout;
        if (eyes != null) {
            flush();
            try {
                eyes.lookFor(this::isThere);
            } catch (IOException e) {
                setBroken();
                throw new JedisConnectionException(e);
            }
        }
        return super.getOne();
    }

    /** Whether something has come in. */
    private boolean isThere() throws IOException {
        Socket socket = sockets.last();
        return socket == null || socket.getInputStream().available() > 0;
    }
}
