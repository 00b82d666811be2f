// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@RestController
@RequestMapping("/orders")
public class OrderController {
    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order create(@RequestBody NewOrder order) {
        return orders.create(order, null);
    }

    @GetMapping("/{orderId}")
    Order get(@PathVariable long orderId) {
        return orders.get(orderId);
    }

    @PutMapping("/{orderId}/status")
    Order update(@PathVariable long orderId, @RequestParam OrderStatus status) {
        return orders.update(orderId, status, null);
    }

    @PutMapping("/sn/{orderSn}/status")
    Order updateBySn(@PathVariable String orderSn, @RequestParam OrderStatus status) {
        return orders.updateBySn(orderSn, status, null);
    }

    @DeleteMapping("/{orderId}")
    Order cancel(@PathVariable long orderId) {
        return orders.cancel(orderId, null);
    }

    @PostMapping("/{orderId}/pay")
    Order pay(@PathVariable long orderId) {
        return orders.pay(orderId, null);
    }
}
