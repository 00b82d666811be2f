// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** Two processes on one store whose clock stands still; at the end of a test nothing may be held. */
abstract class WeavingBench {
    final AtomicLong now = new AtomicLong();
    final List<String> log = new CopyOnWriteArrayList<>();
    final List<LockOptions> taken = new CopyOnWriteArrayList<>();
    final InMemoryBackend store = new InMemoryBackend(now::get);
    final Holdfast locks = process(new LockListener() {
        @Override
        public void acquired(LockEvent event) {
            log.add("acquired " + event.key());
            taken.add(event.options());
        }

        @Override
        public void released(LockEvent event) {
            log.add("released " + event.key());
        }
    });
    private final Holdfast rival = process(new LockListener() {});

    private Holdfast process(LockListener listener) {
        MonotonicClock clock = now::get;
        return Holdfast.builder()
                .backend(store)
                .clock(clock)
                .closeWait(Duration.ZERO)
                .listener(listener)
                .build();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(locks.heldLeases()).isZero();
        assertThat(CurrentLeases.innermost()).isEmpty();
        locks.close();
        rival.close();
    }

    /** Another process has the lock. */
    Lease busy(String key) {
        return rival.tryLock(key, Duration.ofHours(1)).orElseThrow();
    }

    boolean isHeld(String key) {
        return locks.inspect(key).isHeld();
    }

    /** The key goes, as by DEL: the release finds out. */
    void lose(String key) {
        assertThat(store.delete("holdfast:lock:" + key)).isTrue();
    }
}
