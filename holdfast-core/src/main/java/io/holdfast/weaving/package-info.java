// SPDX-License-Identifier: Apache-2.0
/**
 * What weaves {@link io.holdfast.Lock} into methods; applications use the annotation and need nothing of this.
 *
 * <p>One way in per weaver: {@link io.holdfast.weaving.AnnotatedMethod} for those that have a {@code java.lang.reflect.Method}
 * (the proxy, Spring), {@link io.holdfast.weaving.LockedMethod} for code generated at compile time. Either way one
 * {@link io.holdfast.weaving.MethodLock} per annotation is made and checked once, and each call is an
 * {@link io.holdfast.weaving.Invocation} that takes the locks, runs the method and gives them back when its result is there;
 * when that is, an {@link io.holdfast.weaving.ResultAdapter} knows.
 */
@NullMarked
package io.holdfast.weaving;

import org.jspecify.annotations.NullMarked;
