// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which request of a connection a reply answers. Replies come in the order of the requests; what comes without having
 * been asked for must be told apart: a message on a channel, which RESP2 sends as a list like any other, and the lines of
 * {@code MONITOR}. A subscription is confirmed once for each channel, in RESP3 by pushes. Thread-safe.
 */
final class Conversation {
    private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");
    private static final Set<String> SUBSCRIBES = Set.of("subscribe", "psubscribe", "ssubscribe");
    private static final Set<String> UNSUBSCRIBES = Set.of("unsubscribe", "punsubscribe", "sunsubscribe");
    private static final byte[] NO_CHANNEL_LEFT = ":0\r\n".getBytes(StandardCharsets.US_ASCII);

    // Guarded by this.
    private final Queue<Crossing> unanswered = new ArrayDeque<>();
    private boolean listens;
    private boolean pushes; // it is RESP3, as its first confirmation shows: no list is a message
    private int confirmed;

    /** A request is about to reach the server. */
    synchronized void sent(Crossing request) {
        listens |= SUBSCRIBES.contains(nameOf(request));
        unanswered.add(request);
    }

    /** The request that is answered, or null for a push. */
    synchronized @Nullable Crossing answeredBy(Message.Reply reply) {
        boolean push = reply.type() == '>';
        pushes |= push;
        boolean mayBeMessage = push || (listens && !pushes && reply.type() == '*');
        if (!mayBeMessage) {
            return unanswered.poll();
        }
        if (SUBSCRIBES.contains(reply.kind()) || UNSUBSCRIBES.contains(reply.kind())) {
            return confirmedBy(reply);
        }
        return push || MESSAGES.contains(reply.kind()) ? null : unanswered.poll();
    }

    private @Nullable Crossing confirmedBy(Message.Reply reply) {
        if (UNSUBSCRIBES.contains(reply.kind()) && endsWith(reply.bytes(), NO_CHANNEL_LEFT)) {
            listens = false;
        }
        Crossing first = unanswered.peek();
        if (first == null || !nameOf(first).equals(reply.kind())) {
            return null; // more than one channel was left at once, or the server itself ended a subscription
        }
        confirmed++;
        if (confirmed >= first.words.size() - 1) {
            confirmed = 0;
            unanswered.remove();
        }
        return first;
    }

    private static String nameOf(Crossing request) {
        return request.words.get(0).toLowerCase(Locale.ROOT);
    }

    private static boolean endsWith(byte[] bytes, byte[] end) {
        int from = bytes.length - end.length;
        return from >= 0 && Arrays.equals(bytes, from, bytes.length, end, 0, end.length);
    }
}
