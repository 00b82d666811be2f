// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.testkit.faults.ServerFaults;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that answer with an error: told as what it is, waited out where waiting helps. */
@NullUnmarked
public abstract class ServerTroubleContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    private ServerFaults trouble;

    @BeforeEach
    void prepareTrouble() {
        trouble = ServerFaults.of(redis().server());
    }

    @AfterEach
    void endTrouble() {
        trouble.close();
    }

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    @Test
    void busyServer_isWaitedOut() {
        locks.withLock(key, TTL, () -> {});
        trouble.runEndlessScript();

        assertThatThrownBy(() -> locks.tryLock(key, TTL))
                .isInstanceOfSatisfying(LockBackendException.class, failure -> {
                    assertThat(failure).hasMessageContaining("BUSY");
                    assertThat(failure.isUnavailable()).isTrue();
                });
        TamperingConnector network = network();
        CompletableFuture<Lease> waiting = behind(network)
                .lock(
                        key,
                        options -> options.ttl(TTL).wait(Duration.ofSeconds(30)).retryInterval(ms(20)))
                .acquireAsync();
        await().until(() -> network.asked(Verbs::isAcquire).size() >= 2);
        trouble.mend();

        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    void loadingServer_isWaitedOut() {
        TamperingConnector network = network();
        network.when(Verbs::isAcquire)
                .times(3)
                .fail(new RedisReplyException("LOADING Redis is loading the dataset in memory"));
        Lease lease = behind(network)
                .lock(key, options -> options.ttl(TTL).retryInterval(ms(20)))
                .acquire(Duration.ofSeconds(20));
        assertThat(lease.isHeld()).isTrue();
        assertThat(network.asked(Verbs::isAcquire)).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void replica_isAnErrorThatSaysSo() {
        Lease held = locks.tryLock(key, TTL).orElseThrow();
        trouble.becomeReplica();

        for (boolean fenced : new boolean[] {true, false}) {
            assertThatThrownBy(() -> locks.lock(key + ":new", options -> options.fencing(fenced))
                            .acquire(ms(300)))
                    .isInstanceOfSatisfying(LockBackendException.class, failure -> {
                        assertThat(failure).hasMessageContaining("READONLY").hasMessageContaining("replica");
                        assertThat(failure.isUnavailable()).isTrue();
                    });
        }
        assertThatThrownBy(held::release)
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("replica");
        assertThat(held.isHeld()).isFalse();

        trouble.mend();
        await().until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void logIn_missingOrWrong_isAnErrorThatSaysSoAndNeverShowsThePassword() {
        try (EmbeddedRedis guarded =
                target().version().builder().password("right-s3cret").start()) {
            RedisAddress address = RedisAddress.parse(guarded.uri());
            assertThat(at(address).tryLock(key, TTL)).isPresent();
            refusesLogIn(at(address.withPassword(null)), "NOAUTH", "password");
            refusesLogIn(at(address.withPassword("wrong-s3cret")), "WRONGPASS", "password");
            refusesLogIn(at(address("nobody", "wrong-s3cret", address)), "WRONGPASS", "password");
        }
    }

    private void refusesLogIn(Holdfast process, String code, String advice) {
        long before = System.nanoTime();
        assertThatThrownBy(() -> process.tryLock(key, TTL, Duration.ofSeconds(25)))
                .isInstanceOfSatisfying(LockBackendException.class, failure -> {
                    assertThat(failure).hasMessageContaining(code).hasMessageContaining(advice);
                    assertThat(failure.isUnavailable())
                            .as("waiting does not mend a password")
                            .isFalse();
                    for (Throwable t = failure; t != null; t = t.getCause()) {
                        assertThat(String.valueOf(t.getMessage())).doesNotContain("s3cret");
                    }
                });
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
        assertThat(process.toString()).doesNotContain("s3cret");
    }

    private static RedisAddress address(String user, String password, RedisAddress at) {
        return new RedisAddress(at.host(), at.port(), user, password, at.database(), at.tls(), at.timeout());
    }
}
