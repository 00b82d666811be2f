// SPDX-License-Identifier: Apache-2.0
/** An order service as an application of Holdfast: start at {@link io.holdfast.examples.orders.OrderService}. */
@NullMarked
package io.holdfast.examples.orders;

import org.jspecify.annotations.NullMarked;
