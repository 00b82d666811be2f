// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.Lookout;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** Settings of a {@link JedisConnector} with a pool of its own. Values are checked by {@link #build()}. Not thread-safe. */
public final class JedisConnectorBuilder {
    private RedisAddress address = RedisAddress.local();
    private int maxTotal = 50;
    private int maxIdle = 10;
    private int minIdle = 5;
    private boolean testOnBorrow;
    private Duration lookout = Lookout.MOMENT;

    JedisConnectorBuilder() {}

    /** Takes over host, port, login, database, TLS and timeout. */
    public JedisConnectorBuilder address(RedisAddress value) {
        address = value;
        return this;
    }

    /** Host name or IP address; {@code localhost} by default. */
    public JedisConnectorBuilder host(String value) {
        return with(value, address.port(), address.user(), address.database(), address.tls());
    }

    /** TCP port; 6379 by default. */
    public JedisConnectorBuilder port(int value) {
        return with(address.host(), value, address.user(), address.database(), address.tls());
    }

    /** ACL user; null, the default, is Redis' {@code default} user. */
    public JedisConnectorBuilder user(@Nullable String value) {
        return with(address.host(), address.port(), value, address.database(), address.tls());
    }

    /** Password; null, the default, means none. */
    public JedisConnectorBuilder password(@Nullable String value) {
        address = address.withPassword(value);
        return this;
    }

    /** Database number; 0 by default. */
    public JedisConnectorBuilder database(int value) {
        return with(address.host(), address.port(), address.user(), value, address.tls());
    }

    /** TLS with host name verification against the JVM's trust store; off by default. */
    public JedisConnectorBuilder tls(boolean value) {
        return with(address.host(), address.port(), address.user(), address.database(), value);
    }

    /** Limit for connecting, for waiting for the pool, and for each command; 2 s by default. */
    public JedisConnectorBuilder timeout(Duration value) {
        address = address.withTimeout(value);
        return this;
    }

    /**
     * Connections at most; 50 by default. Four are as a rule enough: commands that come while all of them are busy are sent
     * together, and only one that could not be sent for 5 ms opens another. One more listens, once somebody has to wait.
     */
    public JedisConnectorBuilder maxTotal(int value) {
        maxTotal = value;
        return this;
    }

    /** Idle connections kept at most; 10 by default. */
    public JedisConnectorBuilder maxIdle(int value) {
        maxIdle = value;
        return this;
    }

    /** Idle connections kept ready, topped up every 30 s; 5 by default. */
    public JedisConnectorBuilder minIdle(int value) {
        minIdle = value;
        return this;
    }

    /**
     * Whether to PING before each command, which doubles the round trips, and leaves each command a connection to itself; off by
     * default. Without it a connection is tried when it was unused for 5 s.
     */
    public JedisConnectorBuilder testOnBorrow(boolean value) {
        testOnBorrow = value;
        return this;
    }

    /**
     * How long a thread looks for its reply, or for word of its turn, before it sleeps for it, where that pays; 150 µs by default.
     * It halves the time a lock on a server nearby takes, and keeps a processor busy meanwhile: of those that wait for replies one
     * thread, and only while no other command is under way, of those that wait for word one more; and hardly ever when the server
     * is farther away, or the lock held for longer. Zero for never, as with TLS or {@link #testOnBorrow}.
     */
    public JedisConnectorBuilder lookout(Duration value) {
        lookout = value;
        return this;
    }

    /**
     * Makes the connector; no I/O.
     *
     * @throws IllegalArgumentException when the pool sizes contradict each other, or the look-out is not within 0 to 10 ms
     */
    public JedisConnector build() {
        if (maxTotal < 1 || maxIdle < 0 || minIdle < 0 || maxIdle > maxTotal || minIdle > maxIdle) {
            throw new IllegalArgumentException(
                    "pool sizes must be 0 <= minIdle <= maxIdle <= maxTotal and maxTotal >= 1," + " were minIdle "
                            + minIdle + ", maxIdle " + maxIdle + ", maxTotal " + maxTotal);
        }
        HostAndPort server = new HostAndPort(address.host(), address.port());
        JedisClientConfig config = clientConfig();
        Lookout wanted = Lookout.lasting(lookout);
        Lookout eyes = canLookOut() ? wanted : Lookout.none();
        ConnectionPool pool = new ConnectionPool(EagerConnection.factory(server, config, eyes), poolConfig());
        Failures failures = new Failures(address.toString(), address.timeout());
        PoolExchange<Connection> pooled = new PoolExchange<>(pool, connection -> connection, failures, true);
        // Testing each connection first and keeping it do not go together.
        Exchange exchange = testOnBorrow ? pooled : new LaneExchange(pooled, failures, MonotonicClock.SYSTEM, eyes);
        return new JedisConnector(exchange, listening(server, config, failures), address.timeout(), address.toString());
    }

    /** Beside the pool. */
    private Listening listening(HostAndPort server, JedisClientConfig config, Failures failures) {
        return canLookOut() && !lookout.isZero()
                ? ConnectionListening.shared(
                        pubSub -> new ListeningConnection(
                                new Sockets(server, config),
                                config,
                                Lookout.lasting(lookout),
                                MonotonicClock.SYSTEM,
                                pubSub),
                        failures)
                : new ConnectionListening<>(() -> new Connection(server, config), connection -> connection, failures);
    }

    /** A TLS socket does not tell what has arrived, and connections that are tested first are used without counting commands. */
    private boolean canLookOut() {
        return !address.tls() && !testOnBorrow;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "JedisConnectorBuilder[" + address + ", maxTotal=" + maxTotal + ", maxIdle=" + maxIdle + ", minIdle="
                + minIdle + ", testOnBorrow=" + testOnBorrow + ", lookout=" + lookout + "]";
    }

    private JedisConnectorBuilder with(String host, int port, @Nullable String user, int database, boolean tls) {
        address = new RedisAddress(host, port, user, address.password(), database, tls, address.timeout());
        return this;
    }

    private JedisClientConfig clientConfig() {
        return DefaultJedisClientConfig.builder()
                .timeoutMillis((int) address.timeout().toMillis())
                .user(address.user())
                .password(address.password())
                .database(address.database())
                .sslOptions(address.tls() ? verified() : null)
                .build();
    }

    /** FULL checks the host name too; left to itself Jedis takes any certificate the JVM trusts, whoever it is for. */
    private static SslOptions verified() {
        return SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build();
    }

    private ConnectionPoolConfig poolConfig() {
        ConnectionPoolConfig config = new ConnectionPoolConfig(); // checks idle connections every 30 s
        config.setMaxTotal(maxTotal);
        config.setMaxIdle(maxIdle);
        config.setMinIdle(minIdle);
        config.setTestOnBorrow(testOnBorrow);
        config.setMaxWait(address.timeout()); // the default waits for ever
        config.setJmxEnabled(false); // costs 100 ms at start, and nobody looks
        return config;
    }
}
