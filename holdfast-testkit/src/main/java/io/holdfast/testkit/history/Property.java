// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

/** What is checked. */
public enum Property {
    /** No write is accepted after one with a higher token. */
    FENCED_WRITES("P1 fenced writes"),
    /**
     * Every grant has a token of its own, higher than those granted before it was asked for; re-entry keeps it. So has every turn
     * on it in memory, unless the key was removed and its process cannot know yet.
     */
    FENCES("   fencing tokens"),
    /** No two holders at one time. */
    EXCLUSION("P2 one holder"),
    /** A holder is told of a loss in time, and a lost lease stays lost. */
    TOLD("P3 told of a loss"),
    /** A lock that was given back, lost or left behind by a dead process goes to one who waits. */
    FREE("P4 free in time"),
    /** Nothing is left on the server or in the process. */
    NOTHING_LEFT("P5 nothing left"),
    /** Every acquire ends within its wait. */
    ENDS("   acquires end");

    private final String title;

    Property(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
