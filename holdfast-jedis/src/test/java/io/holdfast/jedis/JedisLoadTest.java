// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.LoadSuite;

class JedisLoadTest extends LoadSuite {
    @Override
    protected RedisConnector connect(RedisAddress address) {
        return JedisConnector.connect(address);
    }
}
