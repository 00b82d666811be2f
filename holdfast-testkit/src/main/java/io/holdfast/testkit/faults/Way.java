// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

/** A direction of traffic through a {@link FaultyProxy}. */
public enum Way {
    /** From clients to the server. */
    REQUESTS,
    /** From the server to clients, published messages included. */
    REPLIES
}
