// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.function.Function;

/** A connector on a real server. */
public final class RedisFixture implements ContractFixture {
    /** More than the default, for a machine that is busy with other things. */
    static final Duration PATIENT = Duration.ofSeconds(5);

    private final EmbeddedRedis server;
    private final Function<RedisAddress, RedisConnector> connect;
    private final boolean owned;
    private final RawRedis raw;

    /** On a server that is running; closing the fixture leaves it running. */
    public RedisFixture(EmbeddedRedis server, Function<RedisAddress, RedisConnector> connect) {
        this(server, connect, false);
    }

    private RedisFixture(EmbeddedRedis server, Function<RedisAddress, RedisConnector> connect, boolean owned) {
        this.server = server;
        this.connect = connect;
        this.owned = owned;
        this.raw = new RawRedis(server.host(), server.port());
    }

    /** On a server of this test's own, which it may break; closing the fixture ends it. */
    public static RedisFixture owning(EmbeddedRedis server, Function<RedisAddress, RedisConnector> connect) {
        return new RedisFixture(server, connect, true);
    }

    /** Where the server is. */
    public RedisAddress address() {
        return RedisAddress.parse(server.uri());
    }

    /** A second client, for commands the {@link Backdoor} has no word for. */
    public RawRedis raw() {
        return raw;
    }

    /** The server itself. */
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public Holdfast.Builder holdfast() {
        return holdfast(address().withTimeout(PATIENT));
    }

    /** Settings of a Holdfast that connects otherwise: another time limit, a wrong password. */
    public Holdfast.Builder holdfast(RedisAddress address) {
        return Holdfast.builder().connector(connect.apply(address));
    }

    @Override
    public Backdoor backdoor() {
        return new RedisBackdoor(raw);
    }

    @Override
    public void close() {
        raw.close();
        if (owned) {
            server.close();
        }
    }
}
