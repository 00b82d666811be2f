// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor.examples;

import io.holdfast.processor.examples.OrderService.Customer;
import io.holdfast.processor.examples.OrderService.Order;

/** Calls what only the package may. */
public final class OrderServiceCalls {
    private OrderServiceCalls() {}

    public static void ship(OrderService orders, long id, String customer) {
        orders.ship(new Order(id, new Customer(customer)));
    }

    public static void shipWithoutCustomer(OrderService orders, long id) {
        orders.ship(new Order(id, null));
    }

    public static void shipNothing(OrderService orders) {
        orders.ship(null);
    }

    public static String move(OrderService orders, String from, String to) {
        return orders.move(from, to, null, null);
    }
}
