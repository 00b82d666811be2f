// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;

/** A process whose clock stands still, so that nobody of those it holds back asks alone because the machine is slow. */
@NullUnmarked
abstract class ConvoyFixture extends WaitingContract {
    /** After so long nobody is held back any more. */
    static final Duration LONGEST = ms(2);

    final TestClock clock = TestClock.frozen();
    TamperingConnector network;
    Holdfast one;

    @BeforeEach
    void start() {
        network = network(redis().address().withTimeout(RedisFixture.PATIENT));
        one = listener(builder -> builder.connector(network).clock(clock));
    }

    static void fair(LockOptions.Builder options) {
        options.ttl(TTL).renew(true).fair(true);
    }

    final Lease held(Holdfast process) {
        return process.lock(key, ConvoyFixture::fair).acquire();
    }

    /** Callers that Redis knows nothing of. */
    final List<CompletableFuture<Lease>> heldBack(int count) {
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        int before = queued().size();
        for (int i = 0; i < count; i++) {
            waiters.add(lineUp(one, ConvoyFixture::fair));
        }
        assertThat(queued()).as("held back").hasSize(before);
        return waiters;
    }

    final void assertNothingLeftInTheEnd() {
        await().until(() -> {
            clock.advance(ms(50)); // clean-ups take their time
            return backdoor.keysContaining(key).isEmpty();
        });
    }

    /** Whoever has it gives it back, in any order, until all have had it. */
    final void releaseAsTheyCome(List<CompletableFuture<Lease>> waiters) {
        List<CompletableFuture<Lease>> left = new ArrayList<>(waiters);
        while (!left.isEmpty()) {
            await().until(() -> {
                clock.advance(ms(10));
                return left.stream().anyMatch(CompletableFuture::isDone);
            });
            int next = 0;
            while (!left.get(next).isDone()) {
                next++;
            }
            Lease lease = left.remove(next).join();
            assertThat(left).as("one at a time").noneMatch(CompletableFuture::isDone);
            assertThat(lease.release()).isTrue();
        }
    }

    static Consumer<LockOptions.Builder> fairFor(Duration wait) {
        return options -> {
            fair(options);
            options.wait(wait);
        };
    }
}
