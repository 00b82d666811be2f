// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.junit.jupiter.api.Nested;

/** The suites that need seconds of real time, on one server, for one connector: extend it and say how to connect. */
public abstract class SlowContractSuite {

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    @Nested
    class SlowOutage extends SlowOutageContract {
        @Override
        protected RedisFixture newFixture() {
            return RedisFixture.owning(TestServers.embedded().builder().start(), SlowContractSuite.this::connect);
        }
    }

    @Nested
    class ProcessDeath extends ProcessDeathContract {
        @Override
        protected RedisFixture newFixture() {
            return new RedisFixture(TestServers.embedded().shared(), SlowContractSuite.this::connect);
        }
    }
}
