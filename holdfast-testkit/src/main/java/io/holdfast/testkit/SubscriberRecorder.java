// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.Subscriber;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Writes down what a subscriber is told. Thread-safe. */
final class SubscriberRecorder implements Subscriber {
    static final String SUBSCRIBED = "(subscribed)";

    private final List<String> words = new CopyOnWriteArrayList<>();
    private final AtomicBoolean inside = new AtomicBoolean();
    private volatile boolean overlapped;
    private volatile @Nullable Throwable toThrow;
    private volatile @Nullable RuntimeException end;

    /** Confirmations and messages, in order. */
    List<String> words() {
        return words;
    }

    List<String> messages() {
        return words.stream().filter(word -> !word.equals(SUBSCRIBED)).toList();
    }

    @Nullable
    RuntimeException end() {
        return end;
    }

    /** Whether it was told two things at once. */
    boolean overlapped() {
        return overlapped;
    }

    /** From now on each call throws that, once it is written down. */
    void throwing(Throwable failure) {
        toThrow = failure;
    }

    @Override
    public void subscribed() {
        write(SUBSCRIBED);
        fail();
    }

    @Override
    public void message(String text) {
        write(text);
        fail();
    }

    private void write(String word) {
        overlapped |= !inside.compareAndSet(false, true);
        words.add(word);
        inside.set(false);
    }

    @Override
    public void ended(RuntimeException cause) {
        if (end != null) {
            words.add("(ended twice)");
        }
        end = cause;
        fail();
    }

    private void fail() {
        if (toThrow instanceof RuntimeException e) {
            throw e;
        }
        if (toThrow instanceof Error e) {
            throw e;
        }
    }
}
