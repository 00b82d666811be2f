// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import org.junit.jupiter.api.Nested;

/** The in-memory store passes the suites the connectors pass, but for those that look at a real server. */
class InMemoryContractTest {
    @Nested
    class Acquire extends AcquireContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }
}
