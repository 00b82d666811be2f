// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

/** What became of one lease of a renewal batch. */
public sealed interface RenewReply {

    /** Extended. */
    record Renewed() implements RenewReply {}

    /** The key is gone, or another's: the lease is lost. */
    record Gone() implements RenewReply {}

    /**
     * This key could not be renewed now; worth another try.
     *
     * @param message the server's error
     */
    record Failed(String message) implements RenewReply {}
}
