// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.junit.jupiter.api.Nested;

/** The slow part of the protocol's suites, on the embedded server only: extend it and say how to connect. */
public abstract class EnduranceSuite {

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    private ProtocolContract.Target here() {
        return new ProtocolContract.Target(TestServers.embedded(), this::connect);
    }

    @Nested
    class ServerPause extends ServerPauseContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class RenewalProtocol extends RenewalProtocolContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class RenewalFault extends RenewalFaultContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class SlowPeerDefects extends SlowPeerDefectsContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ManyLeases extends ManyLeasesContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class SlowWaiting extends SlowWaitingContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ManyNames extends ManyNamesContract {
        @Override
        protected Target target() {
            return here();
        }
    }
}
