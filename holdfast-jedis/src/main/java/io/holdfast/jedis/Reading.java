// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.util.function.BooleanSupplier;

/** A subscription that is read by its own thread, as other threads see it. Thread-safe. */
@FunctionalInterface
interface Reading {

    /** Ends it. */
    void cut();

    /** As {@link io.holdfast.spi.Subscription#listenFor}. */
    default void listenFor(BooleanSupplier heard) {}

    /** As {@link io.holdfast.spi.Subscription#glance}. */
    default boolean glance() {
        return false;
    }
}
