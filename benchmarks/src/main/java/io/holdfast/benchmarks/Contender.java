// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

/** One way to take and give back a lock. Thread-safe. Every lock has a lease of 30 s that nobody renews. */
interface Contender extends AutoCloseable {
    long TTL_MILLIS = 30_000;

    /** Waits for the lock of that key as long as it takes. */
    Grant acquire(String key) throws InterruptedException;

    @Override
    void close();

    /** A lock that is held. */
    @FunctionalInterface
    interface Grant {
        /**
         * Gives it back.
         *
         * @throws IllegalStateException when it was not there any more: then the figures mean nothing
         */
        void release();
    }
}
