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
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.NullUnmarked;

/**
 * Root of the contract suites that look at the wire: they need a real server, its commands as {@code MONITOR} shows them, a
 * network that can be tampered with, and sometimes a server of their own to break.
 */
@NullUnmarked
public abstract class ProtocolContract extends LockContract {

    /** The connector and server version under test. */
    protected abstract Target target();

    /** What runs under test: a connector on a server version. */
    public record Target(TestServer version, Function<RedisAddress, RedisConnector> connect) {}

    private RedisFixture redis;

    /** The server to use: the one all share; a suite that breaks it starts its own, which ends with the test. */
    protected EmbeddedRedis server() {
        return target().version().shared();
    }

    @Override
    protected final ContractFixture newFixture() {
        EmbeddedRedis server = server();
        redis = on(server);
        Verbs.teach(redis.raw());
        return new ContractFixture() {
            @Override
            public Holdfast.Builder holdfast() {
                return redis.holdfast();
            }

            @Override
            public Backdoor backdoor() {
                return redis.backdoor();
            }

            @Override
            public void close() {
                redis.close();
                if (server != target().version().shared()) {
                    server.close();
                }
            }
        };
    }

    /** A fixture of the connector under test on another server. */
    protected final RedisFixture on(EmbeddedRedis server) {
        return new RedisFixture(server, target().connect());
    }

    /** The fixture, on Redis. */
    protected final RedisFixture redis() {
        return redis;
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

    /** Waits for what must come to pass; looks often, and gives a busy machine time. */
    protected static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(ms(10)).atMost(Duration.ofSeconds(30));
    }

    /** Waits for a renewal of a lease that asks for so much: shortens the key's life and sees it grow again. */
    protected final void awaitRenewal(String lockKey, Duration ttl) {
        long half = ttl.toMillis() / 2;
        raw().call("PEXPIRE", lockKey, Long.toString(half));
        await().until(() -> backdoor.pttl(lockKey) > half);
    }

    /** Lets real time go by, where only time can show that nothing happens. */
    protected static void elapse(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(30)).until(() -> true);
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
