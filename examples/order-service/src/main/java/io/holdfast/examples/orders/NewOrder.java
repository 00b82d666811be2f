// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a customer asks for. What can be no order fails here, while the request is read, and is answered with 400.
 *
 * @param amountCents the price of it all
 */
public record NewOrder(Long userId, List<Item> items, long amountCents) {
    private static final int LONGEST_SKU = 64;

    /** An order of somebody, for something, each thing once. */
    public NewOrder {
        if (userId == null || items == null || items.isEmpty() || amountCents < 0) {
            throw new IllegalArgumentException("an order has a userId, items, and an amount of 0 or more");
        }
        if (items.stream().map(Item::sku).distinct().count() < items.size()) {
            throw new IllegalArgumentException("an order names each sku once");
        }
    }

    /** The same for the same things, in whatever order. */
    String content() {
        return items.stream()
                .sorted(Comparator.comparing(Item::sku))
                .map(item -> item.quantity() + "x" + item.sku())
                .collect(Collectors.joining(","));
    }

    /** Some of one thing. */
    public record Item(String sku, int quantity) {

        /** At least one, of something that the table can name. */
        public Item {
            if (sku == null || sku.isBlank() || sku.length() > LONGEST_SKU || quantity < 1) {
                throw new IllegalArgumentException(
                        "an item has a sku of 1 to 64 characters and a quantity of 1 or more");
            }
        }
    }
}
