// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a customer asks for.
 *
 * @param amountCents the price of it all
 */
public record NewOrder(Long userId, List<Item> items, long amountCents) {

    /** The same for the same things, in whatever order. */
    String content() {
        return items.stream()
                .sorted(Comparator.comparing(Item::sku))
                .map(item -> item.quantity() + "x" + item.sku())
                .collect(Collectors.joining(","));
    }

    /** Some of one thing. */
    public record Item(String sku, int quantity) {}
}
