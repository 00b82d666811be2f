// SPDX-License-Identifier: Apache-2.0
/**
 * The connector that runs the lock on Jedis 7.4 and newer.
 *
 * <pre>{@code
 * RedisConnector own = JedisConnector.builder()
 *         .host("redis.internal")
 *         .password(secret)
 *         .tls(true)
 *         .build();
 *
 * RedisConnector shared = JedisConnector.using(applicationsJedisPool);
 * }</pre>
 *
 * <p>{@link io.holdfast.jedis.JedisConnector} is the entry. A command takes a connection from a pool, writes, reads and
 * gives it back, all on the calling thread. A subscription has a connection and a daemon thread of its own.
 */
@NullMarked
package io.holdfast.jedis;

import org.jspecify.annotations.NullMarked;
