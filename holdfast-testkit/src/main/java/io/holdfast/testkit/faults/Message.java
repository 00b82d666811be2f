// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** One whole message of the protocol, as it is on the wire and as far as the proxy understands it. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
sealed interface Message {

    /** What is on the wire. */
    byte[] bytes();

    /** A command. Without words it is an empty line, which servers do not answer. */
    record Request(byte[] bytes, List<String> words) implements Message {}

    /**
     * A reply, or a push.
     *
     * @param type the first byte: {@code *} for a list, {@code >} for a push, …
     * @param kind the first text inside a list or push, which tells what a message on a subscribed connection is
     */
    record Reply(byte[] bytes, char type, String kind) implements Message {
        /** As it is on the wire, for a reader. */
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
