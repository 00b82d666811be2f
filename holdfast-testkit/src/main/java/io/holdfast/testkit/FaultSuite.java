// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The matrix of faults for one connector: extend it and say how to connect. On the embedded server; with the system property
 * {@code holdfast.faults=long} on every version at hand.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.holdfast.testkit.TestServers#forFaults")
@NullUnmarked
public abstract class FaultSuite {

    @Parameter
    TestServer server;

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    private ProtocolContract.Target here() {
        return new ProtocolContract.Target(server, this::connect);
    }

    @Nested
    class LostReply extends LostReplyContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class SlowNetwork extends SlowNetworkContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class PowerLoss extends PowerLossContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ServerClock extends ServerClockContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ClientClock extends ClientClockContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class HolderFault extends HolderFaultContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ServerFaults extends ServerFaultContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ConnectionKill extends ConnectionKillContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ScriptFlush extends ScriptFlushContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class DataLoss extends DataLossContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ManyWaiters extends ManyWaitersContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class BusyAfterAVisit extends BusyAfterAVisitContract {
        @Override
        protected Target target() {
            return here();
        }
    }
}
