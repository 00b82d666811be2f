// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.testkit.faults.FaultyProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Root of the suites with a bad network between the client library and the server: what the engine sees is the client's doing. */
@NullUnmarked
public abstract class ProxiedContract extends ProtocolContract {
    /** Much less than the TTL of what is to be cleaned up, and enough for a busy machine. */
    static final Duration SOON = Duration.ofSeconds(10);

    /** The network. */
    protected FaultyProxy net;

    @BeforeEach
    void openNetwork() {
        net = FaultyProxy.before(redis().server().host(), redis().server().port());
    }

    @AfterEach
    void closeNetwork() {
        net.close();
    }

    /** One more process, behind the bad network, whose commands count as unanswered after that time. */
    protected final Holdfast behindNet(Duration commandTimeout) {
        Holdfast process = at(RedisAddress.of(net.host(), net.port()).withTimeout(commandTimeout));
        await().ignoreExceptions().until(() -> !process.inspect(key).isHeld()); // a first connection may take longer
        return process;
    }

    /** Requests that take a lock, by script or by the bare command. */
    protected static Predicate<List<String>> acquires() {
        return words -> Verbs.isAcquire(command(words)) || words.get(0).equals("SET");
    }

    /** Requests that give a lock back. */
    protected static Predicate<List<String>> releases() {
        return words -> Verbs.isRelease(command(words));
    }

    /** Requests that undo an acquire. */
    protected static Predicate<List<String>> abandons() {
        return words -> Verbs.of(command(words)).equals("abandon");
    }

    private static RedisCommand command(List<String> words) {
        return new RedisCommand(words, 0);
    }
}
