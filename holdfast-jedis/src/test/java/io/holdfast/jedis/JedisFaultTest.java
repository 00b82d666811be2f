// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.FaultSuite;
import org.junit.jupiter.api.Order;

/** Early, so as not to run beside that of the other connector, whose module is tested at the same time. */
@Order(Integer.MIN_VALUE + 1)
class JedisFaultTest extends FaultSuite {
    @Override
    protected RedisConnector connect(RedisAddress address) {
        return JedisConnector.connect(address);
    }
}
