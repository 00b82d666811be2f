// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import org.jspecify.annotations.Nullable;

/**
 * Knows when the result of a method is there, and with that how long its locks are to be held. Those for more types than the
 * JDK's are found as services.
 */
public interface ResultAdapter {

    /** Whether this one knows about methods that are declared to return that type. */
    boolean adapts(Class<?> result);

    /** Runs one call: takes the locks, runs the method, gives them back when its result is there. */
    <T> @Nullable T run(Invocation<T> call) throws Throwable;

    /** What a method that was skipped returns. */
    @Nullable
    Object skipped(Class<?> result);
}
