// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;

/** The tables. Every write carries a {@link Fence}, and the row refuses one that has been overtaken. */
@Repository
public class OrderRepository {
    private static final String COLUMNS = "SELECT id, sn, user_id, status, amount_cents, fence FROM orders WHERE ";

    private final JdbcClient jdbc;

    OrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Order> find(long id) {
        return jdbc.sql(COLUMNS + "id = ?").param(id).query(Order.class).optional();
    }

    Optional<Order> findBySn(String sn) {
        return jdbc.sql(COLUMNS + "sn = ?").param(sn).query(Order.class).optional();
    }

    /** Whether the user has placed the same order in the last half minute and not paid it yet. */
    boolean hasJustOrdered(NewOrder order) {
        return jdbc.sql("SELECT COUNT(*) FROM orders WHERE user_id = ? AND content = ? AND status = 'PENDING' "
                                + "AND created_at > CURRENT_TIMESTAMP - INTERVAL '30' SECOND")
                        .params(order.userId(), order.content())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** What the user's last creation left in the column; 0 before the first. */
    long userFence(long userId) {
        return jdbc.sql("SELECT fence FROM user_fences WHERE user_id = ?")
                .param(userId)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /**
     * Makes the user's row this writer's until the transaction ends, so that creations of one user follow each other even
     * without a lock; false when another one was faster.
     */
    boolean fenceUser(long userId, Fence fence) {
        jdbc.sql("INSERT INTO user_fences (user_id, fence) SELECT CAST(? AS BIGINT), 0 "
                        + "WHERE NOT EXISTS (SELECT 1 FROM user_fences WHERE user_id = ?)")
                .params(userId, userId)
                .update();
        return jdbc.sql("UPDATE user_fences SET fence = ? WHERE user_id = ? AND fence BETWEEN ? AND ?")
                        .params(fence.next(), userId, fence.lowest(), fence.highest())
                        .update()
                == 1;
    }

    Order insert(NewOrder order, long fence) {
        GeneratedKeyHolder id = new GeneratedKeyHolder();
        String sn = UUID.randomUUID().toString();
        jdbc.sql("INSERT INTO orders (sn, user_id, status, content, amount_cents, fence) VALUES (?, ?, ?, ?, ?, ?)")
                .params(sn, order.userId(), OrderStatus.PENDING.name(), order.content(), order.amountCents(), fence)
                .update(id, "id");
        long orderId = Objects.requireNonNull(id.getKeyAs(Long.class));
        for (NewOrder.Item item : order.items()) {
            jdbc.sql("INSERT INTO order_items (order_id, sku, quantity) VALUES (?, ?, ?)")
                    .params(orderId, item.sku(), item.quantity())
                    .update();
        }
        return new Order(orderId, sn, order.userId(), OrderStatus.PENDING, order.amountCents(), fence);
    }

    /** False when another writer overtook this one, or the order is not where it was any more. */
    boolean move(Order order, OrderStatus next, Fence fence) {
        return jdbc.sql("UPDATE orders SET status = ?, fence = ? WHERE id = ? AND status = ? AND fence BETWEEN ? AND ?")
                        .params(next.name(), fence.next(), order.id())
                        .params(order.status().name(), fence.lowest(), fence.highest())
                        .update()
                == 1;
    }

    void deleteItems(long orderId) {
        jdbc.sql("DELETE FROM order_items WHERE order_id = ?").param(orderId).update();
    }
}
