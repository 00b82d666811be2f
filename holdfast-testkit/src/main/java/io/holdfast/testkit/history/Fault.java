// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

/** What an injector does to a server or to the way there, and which promises that touches. */
public enum Fault {
    /** SIGSTOP to the server. */
    SERVER_PAUSED(true, true),
    /** The server answers, but takes no writes: CLIENT PAUSE, MISCONF, too few replicas, out of memory. */
    WRITES_REFUSED(true, true),
    /** The server answers nothing but errors: BUSY, LOADING, too many clients, cluster down. */
    NOT_READY(true, true),
    /** The server ended and came back with its data. */
    RESTARTED(true, true),
    /** The server ended and came back without its data; {@code REMOVED} says when it was back. */
    RESTARTED_WITHOUT_DATA(true, false),
    /** The server ended and came back without its last writes; {@code REMOVED} says when it was back. */
    RESTARTED_WITH_OLD_DATA(true, false),
    /** Another server took over and lacks the last writes. */
    FAILED_OVER(true, false),
    /** Nothing gets through. */
    PARTITIONED(true, true),
    /** Connections are cut again and again. */
    CONNECTIONS_CUT(true, true),
    /** Commands get through, replies do not. */
    REPLIES_LOST(true, true),
    /** Everything gets through, late. */
    SLOW(false, true),
    /** Notifications are lost. */
    MESSAGES_LOST(false, true),
    /** The server forgot its scripts. */
    SCRIPTS_FLUSHED(false, true),
    /** The server's clock is ahead: keys end too early. */
    CLOCK_FORWARD(false, false),
    /** The server's clock is behind: keys end too late. */
    CLOCK_BACK(false, true);

    private final boolean unreachable;
    private final boolean keepsExclusion;

    Fault(boolean unreachable, boolean keepsExclusion) {
        this.unreachable = unreachable;
        this.keepsExclusion = keepsExclusion;
    }

    /** Whether nobody can be expected to get a lock, or to be told that one is gone, while it lasts. */
    public boolean isUnreachable() {
        return unreachable;
    }

    /** Whether one primary still promises at most one holder at a time. */
    public boolean keepsExclusion() {
        return keepsExclusion;
    }

    /** Whether locks may be there again afterwards that were given back before, until their TTL ends. */
    public boolean mayBringBackOldData() {
        return this == RESTARTED_WITH_OLD_DATA || this == FAILED_OVER;
    }
}
