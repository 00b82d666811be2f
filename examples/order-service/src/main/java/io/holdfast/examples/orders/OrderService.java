// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.Lease;
import io.holdfast.Lock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * What can be done with orders, each thing under its lock. The lock keeps others from trying at the same time; the fencing token
 * keeps out one that was stopped so long that its lock ended. Locks of different names do not exclude each other, so a write also
 * names the status that was read. Callers pass null for the lease.
 */
@Service
public class OrderService {
    private final OrderRepository orders;
    private final PaymentProvider payments;

    OrderService(OrderRepository orders, PaymentProvider payments) {
        this.orders = orders;
        this.payments = payments;
    }

    /** Places an order; the same one only once in half a minute. */
    @Lock(key = "order_create_lock:{order.userId}", ttlMs = 30_000, maxAttempts = 3, retryMs = 100)
    @Transactional
    public Order create(NewOrder order, @Nullable Lease lease) {
        Fence fence = fence(lease, orders.userFence(order.userId()));
        if (!orders.fenceUser(order.userId(), fence)) {
            throw OrderRefused.overtaken();
        }
        // Only now: whoever was here before has committed, and its order is seen.
        if (orders.hasJustOrdered(order)) {
            throw OrderRefused.duplicate();
        }
        return orders.insert(order, fence.next());
    }

    /** Moves an order on. */
    @Lock(key = "order_update_lock:id:{orderId}", ttlMs = 10_000, maxAttempts = 3, retryMs = 50)
    @Transactional
    public Order update(long orderId, OrderStatus next, @Nullable Lease lease) {
        return move(get(orderId), next, lease);
    }

    /** Moves an order on that is known by its serial number. */
    @Lock(key = "order_update_lock:sn:{orderSn}", ttlMs = 10_000, maxAttempts = 3, retryMs = 50)
    @Transactional
    public Order updateBySn(String orderSn, OrderStatus next, @Nullable Lease lease) {
        return move(orders.findBySn(orderSn).orElseThrow(OrderRefused::missing), next, lease);
    }

    /** Cancels an order and sets its items free. */
    @Lock(key = "order_delete_lock:{orderId}", ttlMs = 15_000, maxAttempts = 3, retryMs = 50)
    @Transactional
    public Order cancel(long orderId, @Nullable Lease lease) {
        Order cancelled = move(get(orderId), OrderStatus.CANCELLED, lease);
        orders.deleteItems(orderId);
        return cancelled;
    }

    /**
     * Pays an order. Not in a transaction: the provider may take longer than a connection is to be kept. The row gets the fence
     * before any money moves: an instance that was overtaken until then charges nobody, and one that is overtaken while it charges
     * can't write over a payment that is still under way.
     */
    @Lock(key = "order:{orderId}", ttlMs = 15_000)
    public Order pay(long orderId, @Nullable Lease lease) {
        Order order = get(orderId);
        if (!order.status().leadsTo(OrderStatus.PAID)) {
            throw OrderRefused.transition(order.status(), OrderStatus.PAID);
        }
        Order claimed = write(order, order.status(), lease);
        payments.charge(claimed);
        return write(claimed, OrderStatus.PAID, lease);
    }

    /** Looks an order up. */
    public Order get(long orderId) {
        return orders.find(orderId).orElseThrow(OrderRefused::missing);
    }

    private Order move(Order order, OrderStatus next, @Nullable Lease lease) {
        if (!order.status().leadsTo(next)) {
            throw OrderRefused.transition(order.status(), next);
        }
        return write(order, next, lease);
    }

    private Order write(Order order, OrderStatus next, @Nullable Lease lease) {
        Fence fence = fence(lease, order.fence());
        if (!orders.move(order, next, fence)) {
            throw OrderRefused.stale();
        }
        return new Order(order.id(), order.sn(), order.userId(), next, order.amountCents(), fence.next());
    }

    private static Fence fence(@Nullable Lease lease, long read) {
        return Fence.of(Objects.requireNonNull(lease, "called without @Lock being woven"), read);
    }
}
