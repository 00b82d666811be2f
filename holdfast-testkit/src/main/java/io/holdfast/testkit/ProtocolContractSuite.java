// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens on the wire, on every server at hand, for one connector: extend it and say how to connect. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.holdfast.testkit.TestServers#all")
@NullUnmarked
public abstract class ProtocolContractSuite {

    @Parameter
    TestServer server;

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    private ProtocolContract.Target here() {
        return new ProtocolContract.Target(server, this::connect);
    }

    @Nested
    class OwnerFault extends OwnerFaultContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Expiry extends ExpiryContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Fencing extends FencingContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class FencedWrite extends FencedWriteContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ForeignLock extends ForeignLockContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class End extends EndContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Ambiguity extends AmbiguityContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Command extends CommandContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Memory extends MemoryContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ServerTrouble extends ServerTroubleContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Acl extends AclContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class PeerDefects extends PeerDefectsContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Subscription extends SubscriptionContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Queue extends QueueContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class WakeUp extends WakeUpContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class HandOverFault extends HandOverFaultContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class HandedOver extends HandedOverContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class HandOver extends HandOverContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Turns extends TurnsContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Retain extends RetainContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Fair extends FairContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Succession extends SuccessionContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Convoys extends ConvoyContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class ConvoyFaults extends ConvoyFaultContract {
        @Override
        protected Target target() {
            return here();
        }
    }

    @Nested
    class Leaving extends LeavingContract {
        @Override
        protected Target target() {
            return here();
        }
    }
}
