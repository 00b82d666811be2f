// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.junit.jupiter.api.Nested;

/**
 * Thousands of cycles, leases and names: extend it and say how to connect. On the embedded server only: it is this process that
 * is tried, and it keeps the machine busy.
 */
public abstract class LoadSuite {

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    private ProtocolContract.Target here() {
        return new ProtocolContract.Target(TestServers.embedded(), this::connect);
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
    class ManyNames extends ManyNamesContract {
        @Override
        protected Target target() {
            return here();
        }
    }
}
