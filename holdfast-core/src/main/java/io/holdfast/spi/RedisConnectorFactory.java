// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/**
 * Found with {@link java.util.ServiceLoader} by {@code Holdfast.connect(…)}: one connector module on the class path
 * registers one factory.
 */
public interface RedisConnectorFactory {

    /** The Maven artifact that brings this connector, e.g. {@code holdfast-jedis}; used in error messages. */
    String artifact();

    /** Makes a connector that owns its client; no I/O yet. */
    RedisConnector create(RedisAddress address);
}
