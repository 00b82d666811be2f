// SPDX-License-Identifier: Apache-2.0
/**
 * What lies below the lock engine.
 *
 * <p>A client library is plugged in as a {@link io.holdfast.spi.RedisConnector} (send a command, get its reply) found
 * through a {@link io.holdfast.spi.RedisConnectorFactory}. The engine itself speaks to a
 * {@link io.holdfast.spi.LockBackend}, whose verbs are acquire, renew, release, abandon and inspect: Redis scripts over
 * a connector in production, {@link io.holdfast.spi.InMemoryBackend} for fall-back and for tests.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
