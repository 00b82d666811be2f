// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueHeapTest {
    private static final class Item extends DueHeap.Entry {
        Item(long dueAt) {
            this.dueAt = dueAt;
        }
    }

    private final DueHeap<Item> heap = new DueHeap<>();

    @Test
    void peek_empty_isNull() {
        assertThat(heap.peek()).isNull();
        assertThat(heap.size()).isZero();
    }

    @Test
    void remove_notQueuedOrTwice_isFalse() {
        Item item = new Item(1);
        assertThat(heap.remove(item)).isFalse();
        heap.add(item);
        assertThat(item.isQueued()).isTrue();
        assertThat(heap.remove(item)).isTrue();
        assertThat(item.isQueued()).isFalse();
        assertThat(heap.remove(item)).isFalse();
    }

    @Test
    void order_acrossTheWrapOfTheClock_isByDistance() {
        Item before = new Item(Long.MAX_VALUE - 1);
        Item after = new Item(Long.MIN_VALUE + 1);
        heap.add(after);
        heap.add(before);

        assertThat(heap.peek()).isSameAs(before);
    }

    @Test
    void randomOperations_agreeWithASortedList() {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            DueHeap<Item> queue = new DueHeap<>();
            List<Item> reference = new ArrayList<>();
            for (int step = 0; step < 600; step++) {
                if (reference.isEmpty() || random.nextInt(5) < 3) {
                    Item item = new Item(random.nextInt(40)); // many ties
                    queue.add(item);
                    reference.add(item);
                } else {
                    Item item = random.nextBoolean() ? queue.peek() : reference.get(random.nextInt(reference.size()));
                    assertThat(queue.remove(item)).isTrue();
                    reference.remove(item);
                }
                assertThat(queue.size()).isEqualTo(reference.size());
                assertThat(dueOf(queue.peek()))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(earliest(reference));
            }
            drain(queue, reference);
        }
    }

    private static void drain(DueHeap<Item> queue, List<Item> reference) {
        reference.sort(Comparator.comparingLong(item -> item.dueAt));
        for (Item expected : reference) {
            Item next = queue.peek();
            assertThat(dueOf(next)).isEqualTo(expected.dueAt);
            queue.remove(next);
        }
        assertThat(queue.peek()).isNull();
    }

    private static long earliest(List<Item> items) {
        return items.stream().mapToLong(item -> item.dueAt).min().orElse(-1);
    }

    private static long dueOf(Item item) {
        return item == null ? -1 : item.dueAt;
    }
}
