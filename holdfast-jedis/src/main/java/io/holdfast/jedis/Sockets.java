// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.net.Socket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/** Makes the sockets of one connection, and remembers the last one, which Jedis keeps to itself. */
final class Sockets extends DefaultJedisSocketFactory {
    private @Nullable Socket last;

    Sockets(HostAndPort server, JedisClientConfig config) {
        super(server, config);
    }

    @Override
    public Socket createSocket() {
        Socket made = super.createSocket();
        last = made;
        return made;
    }

    /** Null before there is one. */
    @Nullable
    Socket last() {
        return last;
    }
}
