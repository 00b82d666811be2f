// SPDX-License-Identifier: Apache-2.0
/**
 * The connector that runs the lock on Lettuce 7.5 and newer.
 *
 * <pre>{@code
 * RedisConnector own = LettuceConnector.connect(RedisAddress.parse("rediss://:secret@redis.internal"));
 *
 * RedisConnector shared = LettuceConnector.using(applicationsRedisClient);
 * }</pre>
 *
 * <p>{@link io.holdfast.lettuce.LettuceConnector} is the entry. All commands share one connection; a command travels as a
 * {@code WireCommand}, which is written at most once, whatever the client's settings for reconnecting and buffering.
 * A subscription has a connection of its own.
 */
@NullMarked
package io.holdfast.lettuce;

import org.jspecify.annotations.NullMarked;
