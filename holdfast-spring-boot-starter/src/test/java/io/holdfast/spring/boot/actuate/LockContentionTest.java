// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.spring.boot.actuate.LockContention.Contended;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LockContentionTest {
    private final LockContention contention = new LockContention();

    private static LockEvent event(String key, String label) {
        LockOptions options = label == null
                ? LockOptions.defaults()
                : LockOptions.builder().label(label).build();
        return new LockEvent(key, options, Duration.ZERO, Duration.ZERO, 1, OptionalLong.empty(), false, null, null);
    }

    @Test
    void top_isByWaitsAndGivingUpTogether() {
        contention.contended(event("order:1", "order:{id}"));
        contention.contended(event("order:2", "order:{id}"));
        contention.timedOut(event("stock:1", "stock:{sku}"));
        contention.contended(event("stock:2", "stock:{sku}"));
        contention.timedOut(event("stock:2", "stock:{sku}"));
        contention.timedOut(event("a key", null));

        assertThat(contention.top(2))
                .containsExactly(new Contended("stock:{sku}", 1, 2), new Contended("order:{id}", 2, 0));
        assertThat(contention.top(10)).last().isEqualTo(new Contended(LockContention.UNLABELLED, 0, 1));
    }

    @Test
    void labels_beyondTheLimit_areCountedTogether() {
        for (int i = 0; i < 10_000; i++) {
            contention.contended(event("key", "label-" + i));
        }

        assertThat(contention.top(Integer.MAX_VALUE)).hasSize(LockContention.MOST_LABELS + 1);
        assertThat(contention.top(1)).containsExactly(new Contended(LockContention.OTHERS, 9_500, 0));
    }
}
