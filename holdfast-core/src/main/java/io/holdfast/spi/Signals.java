// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/**
 * Word from other processes, by the first {@value #ID_LENGTH} characters of a token. It may be late, lost or doubled: whoever
 * gets it asks the store before believing it. Called on a thread of the connector's or of the timer: must not block.
 */
public interface Signals {
    /** How much of a token identifies it. */
    int ID_LENGTH = 34;

    /** It is this waiter's turn. */
    void granted(String id);

    /** Somebody wants the lock this holder has, or had. */
    void wanted(String id);

    /** Word may have been missed, or will be from now on: everybody who waits has to look. */
    void interrupted();
}
