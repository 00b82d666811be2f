// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisConnectorFactory;

/** Registers {@link LettuceConnector} for {@code Holdfast.connect(…)}. */
public final class LettuceConnectorFactory implements RedisConnectorFactory {

    /** For {@link java.util.ServiceLoader}. */
    public LettuceConnectorFactory() {}

    @Override
    public String artifact() {
        return "holdfast-lettuce";
    }

    @Override
    public RedisConnector create(RedisAddress address) {
        return LettuceConnector.connect(address);
    }
}
