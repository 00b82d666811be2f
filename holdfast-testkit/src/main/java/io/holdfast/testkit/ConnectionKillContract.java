// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that the server kills, those that carry commands or those that listen: row 6 of the matrix of faults. */
public abstract class ConnectionKillContract extends WaitingContract {
    /** A lock passed on to one that does not hear of it, a safety poll with its jitter, and a busy machine. */
    private static final Duration IN_TIME = ms(1_000 + 2_200 + 1_800);

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"normal", "pubsub"})
    void connectionsKilled_andAllWordLost_costTheHolderNothingAndTheWaiterOnlyTime(String type) {
        TamperingConnector network = network(redis().address().withTimeout(RedisFixture.PATIENT));
        Lease lease = locks.lock(
                        key, options -> options.ttl(ms(10_000)).renew(true).renewEvery(ms(100)))
                .acquire();
        CompletableFuture<Lease> waiter = queue(listener(network));
        network.subscriptions().dropMessages();
        int listened = network.subscriptions().opened();

        for (int i = 0; i < 3; i++) {
            kill(type);
            awaitRenewal(lockKey(), ms(10_000));
        }
        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        kill(type);
        long released = System.nanoTime();
        assertThat(lease.release()).isTrue();
        Lease next = granted(waiter);

        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(IN_TIME);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        await().until(() -> type.equals("normal") || network.subscriptions().opened() > listened);
        assertThat(next.release()).isTrue();
        assertNothingLeft();
    }

    private void kill(String type) {
        raw().call("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
    }
}
