// SPDX-License-Identifier: Apache-2.0
/**
 * A real Redis or Valkey server for development, demos and tests; {@link io.holdfast.embedded.EmbeddedRedis} is the
 * entry.
 *
 * <p>One start, file by file: {@code EmbeddedRedisBuilder} checks the options, {@code ServerLocator} finds the
 * executable ({@code BundledServer} unpacks the shipped one for this {@code Platform}), {@code ServerStarter} picks a
 * port and waits until the server answers a {@code ServerProbe}, and {@code ServerProcess} sees to it that the server
 * never outlives the JVM.
 */
@NullMarked
package io.holdfast.embedded;

import org.jspecify.annotations.NullMarked;
