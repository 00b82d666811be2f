// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.util.concurrent.atomic.AtomicInteger;

/** How many commands of a connector are under way. Thread-safe. */
final class Traffic {
    private final AtomicInteger underWay = new AtomicInteger();

    void begin() {
        underWay.incrementAndGet();
    }

    void end() {
        underWay.decrementAndGet();
    }

    /** Whether one is alone, so that its thread takes a processor from nobody here. */
    boolean isSole() {
        return underWay.get() == 1;
    }
}
