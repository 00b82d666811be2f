// SPDX-License-Identifier: Apache-2.0
/** {@code holdfast order-service}: two instances of the example and impatient customers. */
@NullMarked
package io.holdfast.cli.orders;

import org.jspecify.annotations.NullMarked;
