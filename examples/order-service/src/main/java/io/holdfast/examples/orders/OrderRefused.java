// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import java.io.Serial;
import java.util.List;
import org.springframework.http.HttpStatus;

/** That something can't be done to an order; told to the customer in words of {@code messages.properties}. */
public final class OrderRefused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient HttpStatus status;
    private final transient List<Object> arguments;

    private OrderRefused(HttpStatus status, String message, Object... arguments) {
        super(message);
        this.status = status;
        this.arguments = List.of(arguments);
    }

    /** There is no such order. */
    static OrderRefused missing() {
        return new OrderRefused(HttpStatus.NOT_FOUND, "missing");
    }

    /** The same order was placed a moment ago. */
    static OrderRefused duplicate() {
        return new OrderRefused(HttpStatus.CONFLICT, "duplicate");
    }

    /** Another order of the user came first; without a lock only the database notices. */
    static OrderRefused overtaken() {
        return new OrderRefused(HttpStatus.CONFLICT, "busy.create");
    }

    /** A newer holder of the lock, of another one on this order, or somebody without a lock has written since. */
    static OrderRefused stale() {
        return new OrderRefused(HttpStatus.CONFLICT, "stale");
    }

    /** The order can't go from where it is to there. */
    static OrderRefused transition(OrderStatus from, OrderStatus to) {
        return new OrderRefused(HttpStatus.CONFLICT, "refused", from, to);
    }

    HttpStatus status() {
        return status;
    }

    Object[] arguments() {
        return arguments.toArray();
    }
}
