// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.LoadSuite;

class LettuceLoadTest extends LoadSuite {
    @Override
    protected RedisConnector connect(RedisAddress address) {
        return LettuceConnector.connect(address);
    }
}
