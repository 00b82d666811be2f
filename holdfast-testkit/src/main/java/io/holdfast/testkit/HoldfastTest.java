// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a JUnit test class a real Redis server: started once for the class, emptied after each test, stopped at the end. Put
 * {@code holdfast-jedis} or {@code holdfast-lettuce} on the test class path and ask for what the test needs as a parameter of
 * a test, a life-cycle method or the constructor:
 *
 * <pre>{@code
 * @HoldfastTest
 * class OrderServiceTest {
 *     @Test
 *     void pay_twiceAtOnce_chargesOnce(Holdfast locks) {
 *         OrderService orders = new OrderService(locks);
 *         …
 *     }
 *
 *     @Test
 *     void pay_redisDown_saysSo(Holdfast locks, EmbeddedRedis server) {
 *         server.kill();                                  // back, empty, before the next test
 *         …
 *     }
 * }
 * }</pre>
 *
 * <p>Parameters: {@link io.holdfast.Holdfast} or {@link io.holdfast.LockManager} (new for each test, closed after it),
 * {@link io.holdfast.embedded.EmbeddedRedis}, {@link io.holdfast.spi.RedisAddress}, {@link java.net.URI}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HoldfastExtension.class)
public @interface HoldfastTest {}
