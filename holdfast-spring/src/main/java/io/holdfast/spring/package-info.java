// SPDX-License-Identifier: Apache-2.0
/**
 * Holdfast in a Spring application, with or without Boot. {@link io.holdfast.Lock} on its beans: {@link
 * io.holdfast.spring.EnableLocks} switches it on, {@link io.holdfast.spring.LockAdvisor} wraps the beans, {@link
 * io.holdfast.spring.LockValidator} looks at all of them before the first call. Beside it answers to HTTP callers ({@link
 * io.holdfast.spring.LockExceptionAdvice}), an orderly end ({@link io.holdfast.spring.HoldfastLifecycle}), other libraries'
 * lock interfaces, and what a native image needs. {@code holdfast-spring-boot-starter} configures all of it.
 */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
