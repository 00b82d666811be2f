// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * What a {@link FaultyProxy} does to the requests that fit. It does nothing until one of its actions is named; the first rule
 * that fits and has times left acts. Thread-safe.
 */
public final class ProxyRule {
    enum Action {
        PASS,
        LOSE_REPLY_AND_RESET,
        LOSE_REPLY_AND_HANG,
        DELAY_REPLY,
        HOLD_BACK
    }

    private final Faults faults;
    private final Predicate<List<String>> which;
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicInteger applied = new AtomicInteger();
    private volatile Action action = Action.PASS;
    private volatile long replyDelayNanos;

    ProxyRule(Faults faults, Predicate<List<String>> which) {
        this.faults = faults;
        this.which = which;
    }

    /** Only for the next one that fits. */
    public ProxyRule once() {
        return times(1);
    }

    /** Only for the next so many. */
    public ProxyRule times(int count) {
        left.set(count);
        return this;
    }

    /** Nothing happens to it; it is only counted. */
    public ProxyRule pass() {
        return act(Action.PASS);
    }

    /** The server carries it out; its reply vanishes, and the connection is reset in its place. Replies before it arrive. */
    public ProxyRule loseReply() {
        return act(Action.LOSE_REPLY_AND_RESET);
    }

    /**
     * The same, but the connection stays, and nothing arrives on it any more: were later replies let through, a client would
     * take them for those to earlier requests, which no network can bring about.
     */
    public ProxyRule loseReplyAndHang() {
        return act(Action.LOSE_REPLY_AND_HANG);
    }

    /** The server carries it out; its reply, and those behind it on the same connection, arrive that much later. */
    public ProxyRule delayReply(Duration delay) {
        replyDelayNanos = delay.toNanos();
        return act(Action.DELAY_REPLY);
    }

    /**
     * It stays in the proxy, and what its connection sends after it as well, until {@link FaultyProxy#letGo}: also when its
     * client has closed the connection meanwhile, or the proxy has reset it.
     */
    public ProxyRule holdBack() {
        return act(Action.HOLD_BACK);
    }

    /** How many requests it was applied to. */
    public int applied() {
        return applied.get();
    }

    /** Applies to no request from now on. */
    public void end() {
        faults.rules.remove(this);
    }

    private ProxyRule act(Action chosen) {
        action = chosen;
        faults.rules.add(this);
        return this;
    }

    Action action() {
        return action;
    }

    long replyDelayNanos() {
        return replyDelayNanos;
    }

    boolean takes(List<String> request) {
        boolean taken = which.test(request) && left.getAndUpdate(n -> n > 0 ? n - 1 : 0) > 0;
        if (taken) {
            applied.incrementAndGet();
        }
        return taken;
    }
}
