// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/**
 * Word from other processes, by the first {@value #ID_LENGTH} characters of a token. It may be late, lost or doubled: whoever
 * gets it asks the store before believing it, or knows a bound for its age. Called on a thread of the connector's or of the
 * timer: must not block.
 */
public interface Signals {
    /** How much of a token identifies it. */
    int ID_LENGTH = 34;

    /** It is this waiter's turn: the lock is its own for a moment, in which it has to ask for it. */
    void granted(String id);

    /** It is this waiter's turn: at some time after it first asked, the lock became its own for its whole TTL. */
    void handedOver(String id, AcquireReply.Granted grant);

    /** Somebody wants the lock this holder has, or had. */
    void wanted(String id);

    /** Word may have been missed, or will be from now on: everybody who waits has to look. */
    void interrupted();
}
