// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

/** One way to take and give back a lock. Thread-safe; connects when first used. */
interface Contender extends AutoCloseable {

    /** As the table shows it. */
    String name();

    /** The name of the hand-written lock on the same client, which this one is compared to; its own for that one. */
    String yardstick();

    /**
     * Takes the lock of that key and gives it back.
     *
     * @throws IllegalStateException when it was not free, or not there any more: then the figures mean nothing
     */
    void cycle(String key);

    @Override
    void close();
}
