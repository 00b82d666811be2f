// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import java.util.Set;

/** Where an order stands, and where it may go from there. */
public enum OrderStatus {
    PENDING,
    PAID,
    SHIPPED,
    COMPLETED,
    CANCELLED;

    /** Whether an order may go from here to there. */
    public boolean leadsTo(OrderStatus next) {
        return switch (this) {
            case PENDING -> Set.of(PAID, CANCELLED).contains(next);
            case PAID -> Set.of(SHIPPED, CANCELLED).contains(next);
            case SHIPPED -> next == COMPLETED;
            case COMPLETED, CANCELLED -> false;
        };
    }
}
