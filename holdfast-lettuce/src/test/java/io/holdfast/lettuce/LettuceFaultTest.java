// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.FaultSuite;
import org.junit.jupiter.api.Order;

/** Late, so as not to run beside that of the other connector, whose module is tested at the same time. */
@Order(Integer.MAX_VALUE - 1)
class LettuceFaultTest extends FaultSuite {
    @Override
    protected RedisConnector connect(RedisAddress address) {
        return LettuceConnector.connect(address);
    }
}
