// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Weaves {@link io.holdfast.Lock} into the beans of this application. It needs a {@link io.holdfast.LockManager} bean, and takes
 * {@link LockAdviceSettings} if there are any. With the Boot starter it is not needed.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import({AutoProxyCreator.class, LockConfiguration.class})
public @interface EnableLocks {}
