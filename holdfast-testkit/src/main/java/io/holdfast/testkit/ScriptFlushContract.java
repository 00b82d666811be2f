// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A server that forgets its scripts before each of them is called: row 10 of the matrix of faults. */
public abstract class ScriptFlushContract extends WaitingContract {
    private final List<TamperingConnector> networks = new ArrayList<>();
    private final List<EventRecorder> recorders = new ArrayList<>();

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    @Test
    void scriptFlush_beforeEveryScript_isInvisibleAtEveryStage() {
        Holdfast first = forgotten();
        Holdfast second = forgotten();
        Lease held = first.lock(
                        key, options -> options.ttl(ms(10_000)).renew(true).renewEvery(ms(100)))
                .acquire();
        awaitRenewal(lockKey(), ms(10_000));
        CompletableFuture<Lease> waiter = queue(second);
        CompletableFuture<Lease> leaver = queue(forgotten());
        leaver.cancel(true);
        await().until(() -> queued().size() == 1);

        assertThat(held.release()).isTrue();
        Lease next = granted(waiter);

        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(second.fencedStore().set("row:" + key, "new", next.fencingToken()))
                .isTrue();
        assertThat(second.fencedStore().set("row:" + key, "late", held.fencingToken()))
                .isFalse();
        assertThat(first.inspect(key).isHeld()).isTrue();
        assertThat(next.release()).isTrue();
        fairAndOwned(first);
        backdoor.delete("row:" + key);
        assertNothingLeft();
        assertThat(sentByText())
                .contains("acquire", "renew", "release", "abandon", "inspect", "fenced-set")
                .contains("acquire-fair", "acquire-owner", "renew-owner", "release-owner");
        recorders.forEach(events -> assertThat(events.kinds())
                .doesNotContain("acquireFailed", "renewalFailed", "lost", "releaseFailed", "degraded"));
    }

    private void fairAndOwned(Holdfast process) {
        assertThat(process.lock(key, options -> options.fair(true)).acquire().release())
                .isTrue();
        Lease owned = process.lock(key, options -> options.owner("o")).acquire();
        assertThat(owned.renew(ms(10_000))).isTrue();
        assertThat(owned.release()).isTrue();
    }

    /** A process whose every script is unknown to the server from now on. */
    private Holdfast forgotten() {
        TamperingConnector network = network(redis().address().withTimeout(RedisFixture.PATIENT));
        networks.add(network);
        EventRecorder events = new EventRecorder();
        recorders.add(events);
        Holdfast process =
                listening(another(builder -> builder.connector(network).listener(events)));
        network.when(command -> command.name().equals("EVALSHA")).first(this::flush);
        return process;
    }

    /** From any thread, so over a connection of its own. */
    private void flush() {
        try (RawRedis own =
                new RawRedis(redis().server().host(), redis().server().port())) {
            own.call("SCRIPT", "FLUSH");
        }
    }

    private Set<String> sentByText() {
        return networks.stream()
                .flatMap(network -> network.asked(command -> command.name().equals("EVAL")).stream())
                .map((RedisCommand command) -> Verbs.of(command))
                .collect(Collectors.toSet());
    }
}
