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

    private RedisFixture onAServerOfItsOwn() {
        return RedisFixture.owning(server.builder().start(), this::connect);
    }

    @Nested
    class Acquire extends AcquireContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class WithLock extends WithLockContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class KeySpace extends KeySpaceContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class ThreadLock extends ThreadLockContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Retry extends RetryContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Interrupt extends InterruptContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Oversight extends OversightContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class ForceRelease extends ForceReleaseContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class ReleaseAfter extends ReleaseAfterContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Inspect extends InspectContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Owner extends OwnerContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class OwnerExamples extends OwnerExamplesContract {
        @Override
        protected ContractFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Script extends ScriptContract {
        @Override
        protected RedisFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Wire extends WireContract {
        @Override
        protected RedisFixture newFixture() {
            return onServer();
        }
    }

    @Nested
    class Outage extends OutageContract {
        @Override
        protected RedisFixture newFixture() {
            return onAServerOfItsOwn();
        }
    }

    @Nested
    class FailurePolicy extends FailurePolicyContract {
        @Override
        protected RedisFixture newFixture() {
            return onAServerOfItsOwn();
        }
    }
}
