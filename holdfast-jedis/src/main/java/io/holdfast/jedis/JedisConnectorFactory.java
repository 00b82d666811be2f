// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisConnectorFactory;

/** Registers {@link JedisConnector} for {@code Holdfast.connect(…)}. */
public final class JedisConnectorFactory implements RedisConnectorFactory {

    /** For {@link java.util.ServiceLoader}. */
    public JedisConnectorFactory() {}

    @Override
    public String artifact() {
        return "holdfast-jedis";
    }

    @Override
    public RedisConnector create(RedisAddress address) {
        return JedisConnector.connect(address);
    }
}
