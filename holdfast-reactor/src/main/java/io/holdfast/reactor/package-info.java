// SPDX-License-Identifier: Apache-2.0
/** Methods with {@link io.holdfast.Lock} that return Reactor's {@code Mono} or {@code Flux}. On the class path it works. */
@NullMarked
package io.holdfast.reactor;

import org.jspecify.annotations.NullMarked;
