// SPDX-License-Identifier: Apache-2.0
/**
 * Locks for a Spring Boot application, on the Redis connection it already has. {@link
 * io.holdfast.spring.boot.HoldfastAutoConfiguration} is the entry; {@link io.holdfast.spring.boot.HoldfastProperties} is what
 * can be set, {@link io.holdfast.spring.boot.HoldfastBuilderCustomizer} is for the rest.
 */
@NullMarked
package io.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
