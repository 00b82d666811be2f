// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap ordered by due time whose entries know their place, so that removing one costs O(log n) and leaves nothing
 * behind. {@link java.util.PriorityQueue} would search for it, or keep dead entries until their time comes: at thousands of
 * short leases a second that is a leak. Not thread-safe.
 */
final class DueHeap<E extends DueHeap.Entry> {

    /** Something that is due at an instant of the monotonic clock. Change {@code dueAt} only outside the heap. */
    abstract static class Entry {
        long dueAt;
        private int index = -1;

        final boolean isQueued() {
            return index >= 0;
        }
    }

    private @Nullable Entry[] heap = new @Nullable Entry[16];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    E peek() {
        return size == 0 ? null : at(0);
    }

    /** All entries, in no order. */
    List<E> all() {
        List<E> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(at(i));
        }
        return all;
    }

    void add(E entry) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        siftUp(size++, entry);
    }

    @SuppressWarnings("ReferenceEquality") // entries are themselves, whatever they say of equality
    boolean remove(E entry) {
        int hole = ((Entry) entry).index;
        if (hole < 0) {
            return false;
        }
        ((Entry) entry).index = -1;
        E last = at(--size);
        heap[size] = null;
        if (last != entry) {
            siftDown(hole, last);
            if (heap[hole] == last) {
                siftUp(hole, last);
            }
        }
        return true;
    }

    private void siftUp(int hole, E entry) {
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!isBefore(entry, at(parent))) {
                break;
            }
            place(hole, at(parent));
            hole = parent;
        }
        place(hole, entry);
    }

    private void siftDown(int hole, E entry) {
        int child;
        while ((child = 2 * hole + 1) < size) {
            if (child + 1 < size && isBefore(at(child + 1), at(child))) {
                child++;
            }
            if (!isBefore(at(child), entry)) {
                break;
            }
            place(hole, at(child));
            hole = child;
        }
        place(hole, entry);
    }

    private void place(int where, Entry entry) {
        heap[where] = entry;
        entry.index = where;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // below size every slot holds an E
    private E at(int where) {
        return (E) heap[where];
    }

    /** By subtraction: a monotonic clock may wrap. */
    private static boolean isBefore(Entry a, Entry b) {
        return a.dueAt - b.dueAt < 0;
    }
}
