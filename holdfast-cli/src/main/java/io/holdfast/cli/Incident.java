// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Event;

/** Something that happens to a worker during a run, a step at a time. */
interface Incident {
    /** Hears of everything the workers record, until it is over. */
    void accept(Event event);

    /** Goes on if it is time to. */
    void step(long now);

    boolean isOver();
}
