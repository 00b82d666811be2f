// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Root of the contract suites that look at the wire: they need a real server, its commands as {@code MONITOR} shows them, a
 * network that can be tampered with, and sometimes a server of their own to break.
 */
public abstract class RedisContract extends LockContract {

    /** The connector and server version under test. */
    protected abstract Target target();

    /** What runs under test: a connector on a server version. */
    public record Target(TestServer version, Function<RedisAddress, RedisConnector> connect) {}

    @Override
    protected final ContractFixture newFixture() {
        RedisFixture fixture = on(target().version().shared());
        Verbs.teach(fixture.raw());
        return fixture;
    }

    /** A fixture of the connector under test on another server. */
    protected final RedisFixture on(EmbeddedRedis server) {
        return new RedisFixture(server, target().connect());
    }

    /** The fixture, on Redis. */
    protected final RedisFixture redis() {
        return (RedisFixture) fixture();
    }

    /** A second client for commands the backdoor has no word for. */
    protected final RawRedis raw() {
        return redis().raw();
    }

    /** The network of a process to be; give it to {@link #behind}. */
    protected final TamperingConnector network() {
        return network(redis().address());
    }

    /** The same to another address, or with another time limit. */
    protected final TamperingConnector network(RedisAddress address) {
        return new TamperingConnector(target().connect().apply(address));
    }

    /** One more process, behind that network. */
    protected final Holdfast behind(TamperingConnector network) {
        return another(builder -> builder.connector(network));
    }

    /** One more process, at that address. */
    protected final Holdfast at(RedisAddress address) {
        return another(builder -> builder.connector(target().connect().apply(address)));
    }

    /** Listens to all commands the server runs. Close it. */
    protected final Monitor monitor() {
        RedisAddress address = redis().address();
        return new RawRedis(address.host(), address.port()).monitor();
    }

    /** Commands clients sent (not those inside scripts) that concern this test's key, in order, by verb. */
    protected final List<String> verbs(Monitor monitor) {
        return monitor.lines().stream()
                .filter(line -> !line.contains(" lua]") && line.contains(key))
                .map(Verbs::of)
                .toList();
    }

    /** Options by hand. */
    protected static LockOptions options(Consumer<LockOptions.Builder> changes) {
        LockOptions.Builder builder = LockOptions.builder();
        changes.accept(builder);
        return builder.build();
    }

    /** Milliseconds. */
    protected static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    /** Companion key of this test's lock, e.g. {@code holdfast:owner:…}. */
    protected final String companion(String kind) {
        return "holdfast:" + kind + ":" + lockKey();
    }
}
