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
 * The slow part of the protocol's suites: extend it and say how to connect. On the embedded server; where further servers are
 * named, on every version at hand, some at a time since most of it waits.
 */
public abstract class EnduranceSuite {

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

        private ProtocolContract.Target here() {
            return new ProtocolContract.Target(server, EnduranceSuite.this::connect);
        }

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class ServerPause extends ServerPauseContract {
            @Override
            protected Target target() {
                return here();
            }
        }

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class RenewalProtocol extends RenewalProtocolContract {
            @Override
            protected Target target() {
                return here();
            }
        }

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class RenewalFault extends RenewalFaultContract {
            @Override
            protected Target target() {
                return here();
            }
        }

        @Nested
        @Execution(ExecutionMode.SAME_THREAD)
        class SlowWaiting extends SlowWaitingContract {
            @Override
            protected Target target() {
                return here();
            }
        }
    }
}
