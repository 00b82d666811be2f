// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisConnectorFactory;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds the one connector on the class path; none and two are errors that say what to add or to choose. */
final class Connectors {
    private Connectors() {}

    static RedisConnector connect(RedisAddress address) {
        List<RedisConnectorFactory> found = ServiceLoader.load(RedisConnectorFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return only(found).create(address);
    }

    static RedisConnectorFactory only(List<RedisConnectorFactory> found) {
        if (found.isEmpty()) {
            throw new IllegalStateException("no Redis connector on the class path: add io.holdfast:holdfast-jedis or "
                    + "io.holdfast:holdfast-lettuce, or give Holdfast.builder() a connector");
        }
        if (found.size() > 1) {
            String names =
                    found.stream().map(RedisConnectorFactory::artifact).sorted().collect(Collectors.joining(", "));
            throw new IllegalStateException("more than one Redis connector on the class path (" + names
                    + "): keep one, or choose with Holdfast.builder().connector(…)");
        }
        return found.get(0);
    }
}
