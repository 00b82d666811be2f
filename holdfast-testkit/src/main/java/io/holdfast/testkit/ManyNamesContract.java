// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Five thousand names waited for at once by one process: one subscription, few commands, and each gets its lock. */
public abstract class ManyNamesContract extends WaitingContract {
    private static final int NAMES = 5_000;

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start(); // its keys are counted
    }

    private List<CompletableFuture<Lease>> acquireAll(Holdfast process) {
        return IntStream.range(0, NAMES)
                .mapToObj(i -> process.lock(
                                key + ":" + i,
                                options -> options.ttl(TTL.multipliedBy(4)).wait(TTL.multipliedBy(2)))
                        .acquireAsync())
                .toList();
    }

    private static List<Lease> all(List<CompletableFuture<Lease>> leases) {
        return leases.stream()
                .map(lease -> lease.orTimeout(60, TimeUnit.SECONDS).join())
                .toList();
    }

    @Test
    void fiveThousandNamesAtOnce_areAllGranted() {
        List<Lease> held = all(acquireAll(listener()));
        TamperingConnector network = network();
        Holdfast process = listener(network);
        List<CompletableFuture<Lease>> waiting = acquireAll(process);
        await().until(() -> Long.valueOf(2 * NAMES + 1).equals(raw().call("DBSIZE")));
        int before = network.asked(Verbs::isAcquire).size();
        elapse(Duration.ofSeconds(3));

        assertThat(network.asked(Verbs::isAcquire).size() - before)
                .as("commands in three seconds")
                .isLessThanOrEqualTo(3 * NAMES);
        assertThat(network.subscriptions().opened()).isEqualTo(1);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        held.forEach(Lease::close);

        List<Lease> granted = all(waiting);
        assertThat(granted).allMatch(Lease::isHeld);
        granted.forEach(Lease::close);
        assertNothingLeft();
    }
}
