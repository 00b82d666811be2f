// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request on its way through the proxy, and what a rule has in store for it. */
final class Crossing {
    final byte[] bytes;
    final List<String> words;
    final long dueAt;
    private final @Nullable ProxyRule rule;
    /** Completes when a request that is held back may go on. */
    final CompletableFuture<Boolean> letGo = new CompletableFuture<>();
    /** For one that was held back: the server's reply as it is on the wire, empty when there will be none. */
    final CompletableFuture<String> answer = new CompletableFuture<>();

    Crossing(Message.Request request, @Nullable ProxyRule rule, long dueAt) {
        this.bytes = request.bytes();
        this.words = request.words();
        this.rule = rule;
        this.dueAt = dueAt;
    }

    boolean is(ProxyRule.Action action) {
        return rule != null && rule.action() == action;
    }

    /** There is a reply; only for those that were held back anybody asks for it. */
    void answered(Message.Reply reply) {
        if (is(ProxyRule.Action.HOLD_BACK)) {
            answer.complete(reply.text());
        }
    }

    /** What a rule adds to the way of its reply. */
    long replyDelayNanos() {
        return rule == null ? 0 : rule.replyDelayNanos();
    }
}
