// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps every event a Holdfast tells, oldest first. Thread-safe. */
public final class EventRecorder implements LockListener {
    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** Hears nothing until it is given to a Holdfast. */
    public EventRecorder() {}

    /**
     * One event and its kind.
     *
     * @param kind the listener's method, e.g. {@code acquired}
     * @param event what it was told
     */
    public record Entry(String kind, LockEvent event) {}

    /** The kinds of events so far. */
    public List<String> kinds() {
        return entries.stream().map(Entry::kind).toList();
    }

    /** The events of one kind. */
    public List<LockEvent> of(String kind) {
        return entries.stream()
                .filter(entry -> entry.kind().equals(kind))
                .map(Entry::event)
                .toList();
    }

    @Override
    public void acquired(LockEvent event) {
        entries.add(new Entry("acquired", event));
    }

    @Override
    public void contended(LockEvent event) {
        entries.add(new Entry("contended", event));
    }

    @Override
    public void timedOut(LockEvent event) {
        entries.add(new Entry("timedOut", event));
    }

    @Override
    public void acquireFailed(LockEvent event) {
        entries.add(new Entry("acquireFailed", event));
    }

    @Override
    public void degraded(LockEvent event) {
        entries.add(new Entry("degraded", event));
    }

    @Override
    public void renewed(LockEvent event) {
        entries.add(new Entry("renewed", event));
    }

    @Override
    public void renewalFailed(LockEvent event) {
        entries.add(new Entry("renewalFailed", event));
    }

    @Override
    public void lost(LockEvent event) {
        entries.add(new Entry("lost", event));
    }

    @Override
    public void released(LockEvent event) {
        entries.add(new Entry("released", event));
    }

    @Override
    public void releaseFailed(LockEvent event) {
        entries.add(new Entry("releaseFailed", event));
    }
}
