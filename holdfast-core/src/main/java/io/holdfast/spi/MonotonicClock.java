// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/**
 * The only clock Holdfast reads: nanoseconds that never go back and do not follow the wall clock. Only differences mean
 * anything. Tests inject their own.
 */
@FunctionalInterface
public interface MonotonicClock {

    /** {@link System#nanoTime()}. */
    MonotonicClock SYSTEM = System::nanoTime;

    /** The current instant, comparable by subtraction to others of the same clock. */
    long nanoTime();

    /** A clock that is moved by hand calls {@code listener} after each move; a real one has nothing to say. */
    default void onMoved(Runnable listener) {}
}
