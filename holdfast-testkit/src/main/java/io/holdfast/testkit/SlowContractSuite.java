// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The suites that need seconds of real time, for one connector: extend it and say how to connect. On the embedded server;
 * where further servers are named, on every version at hand, some at a time since most of it waits.
 */
public abstract class SlowContractSuite {

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    /** Beside itself on the other servers, but beside no other class. */
    @Nested
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.holdfast.testkit.TestServers#forSlow")
    @Execution(ExecutionMode.CONCURRENT)
    @NullUnmarked
    class OnEachServer {

        @Parameter
        TestServer server;

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class SlowOutage extends SlowOutageContract {
            @Override
            protected RedisFixture newFixture() {
                return RedisFixture.owning(server.builder().start(), SlowContractSuite.this::connect);
            }
        }

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class ProcessDeath extends ProcessDeathContract {
            @Override
            protected RedisFixture newFixture() {
                return new RedisFixture(server.shared(), SlowContractSuite.this::connect);
            }
        }
    }
}
