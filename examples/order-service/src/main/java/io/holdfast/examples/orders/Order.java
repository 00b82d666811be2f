// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * An order as it is stored.
 *
 * @param sn what the customer sees
 * @param fence the token of its last writer
 */
public record Order(
        long id,
        String sn,
        long userId,
        OrderStatus status,
        long amountCents,
        @JsonIgnore long fence) {}
