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

    @Nested
    class WithLock extends WithLockContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class KeySpace extends KeySpaceContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class ThreadLock extends ThreadLockContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Retry extends RetryContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Interrupt extends InterruptContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Oversight extends OversightContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class ForceRelease extends ForceReleaseContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class ReleaseAfter extends ReleaseAfterContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Inspect extends InspectContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class OwnerExamples extends OwnerExamplesContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }
}
