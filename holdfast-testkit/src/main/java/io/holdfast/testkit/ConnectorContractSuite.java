// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contract suite, on every server at hand, for one connector: extend it and say how to connect. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.holdfast.testkit.TestServers#all")
@NullUnmarked
public abstract class ConnectorContractSuite {

    @Parameter
    TestServer server;

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    private RedisFixture onServer() {
        return new RedisFixture(server.shared(), this::connect);
    }

    @Nested
    class Acquire extends AcquireContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }
}
