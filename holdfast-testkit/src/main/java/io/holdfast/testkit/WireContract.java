// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, as the server saw it. */
@NullUnmarked
@SuppressWarnings("LockNotBeforeTry") // a test that fails closes the Holdfast, which ends its locks
public abstract class WireContract extends ServerContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @BeforeEach
    void warmUp() { // scripts loaded, connection open, the server asked for its native delete
        for (int i = 0; i < 2; i++) {
            locks.tryLock(key + ":warm-up", TTL).orElseThrow().release();
            pass(Duration.ofMillis(20));
        }
    }

    @Test
    void acquireAndRelease_uncontended_areTwoCommands() {
        Monitor monitor = monitor();
        locks.tryLock(key, TTL).orElseThrow().release();

        List<String> sent = sent(monitor);
        assertThat(sent).hasSize(2);
        assertThat(verb(sent.get(0))).isEqualTo("EVALSHA");
        assertThat(sent.get(0)).contains(lockKey()).contains("\"10000\"");
    }

    @Test
    void acquire_fencingOff_isTheBareSetCommand() {
        Monitor monitor = monitor();
        Lease lease = unfenced(options -> {}).acquire();

        List<String> sent = sent(monitor);
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0))
                .endsWith("\"SET\" \"" + lockKey() + "\" \"" + lease.token() + "\" \"NX\" \"PX\" \"10000\"");
    }

    @Test
    void acquire_fencingOffAndBusy_isTheBareSetCommandOnce() {
        assertThat(another().tryLock(key, TTL)).isPresent();
        Monitor monitor = monitor();

        assertThat(unfenced(options -> {}).tryAcquire()).isEmpty();

        assertThat(sent(monitor)).hasSize(1).allMatch(line -> verb(line).equals("SET") && line.contains("\"NX\""));
    }

    @Test
    void ttl_withAFractionOfAMillisecond_isRoundedUp() {
        Monitor monitor = monitor(); // rounded down, the key could end before the holder's own clock says so
        unfenced(options -> options.ttl(Duration.ofNanos(10_000_000_001L))).acquire();

        assertThat(sent(monitor).get(0)).endsWith("\"PX\" \"10001\"");
    }

    @Test
    void release_comparesOnTheServer() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        Monitor monitor = monitor();
        lease.release();

        List<String> sent = sent(monitor);
        assertThat(sent).hasSize(1);
        assertThat(verb(sent.get(0))).isEqualTo(expectedRelease());
        assertThat(sent.get(0)).contains(lockKey()).contains(lease.token().split("#", -1)[0]);
    }

    @Test
    void scriptFlush_betweenAnyTwoCommands_isInvisible() {
        redis().raw().call("SCRIPT", "FLUSH");
        Monitor monitor = monitor();
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        assertThat(sent(monitor).stream().map(ServerContract::verb)).containsExactly("EVALSHA", "EVAL");

        redis().raw().call("SCRIPT", "FLUSH");
        assertThat(lease.renew(TTL)).isTrue();
        redis().raw().call("SCRIPT", "FLUSH");
        assertThat(locks.inspect(key).isHeld()).isTrue();
        redis().raw().call("SCRIPT", "FLUSH");
        assertThat(lease.release()).isTrue();

        locks.tryLock(key, TTL).orElseThrow().release(); // loads what is still missing
        Monitor after = monitor();
        locks.tryLock(key, TTL).orElseThrow().release();
        assertThat(sent(after)).hasSize(2).noneMatch(line -> verb(line).equals("EVAL"));
    }

    @Test
    void reentry_ofAThread_sendsNothing() {
        DistributedLock lock = locks.lock(key);
        lock.lock();
        Monitor monitor = monitor();

        lock.lock();
        assertThat(locks.lock(key).tryLock()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        lock.unlock();

        assertThat(sent(monitor)).isEmpty();
        lock.unlock();
        assertThat(sent(monitor)).hasSize(1);
    }

    @Test
    void isHeld_ensureHeldAndRemaining_sendNothing() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        Monitor monitor = monitor();

        lease.ensureHeld();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isPositive();
        assertThat(sent(monitor)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waiting_inTheQueue_hardlyAsks(boolean fenced) {
        assertThat(another().tryLock(key, TTL)).isPresent();
        Monitor monitor = monitor();
        Duration wait = Duration.ofMillis(400);
        Duration interval = Duration.ofMillis(50);

        assertThat(locks.lock(key, options -> options.fencing(fenced).wait(wait).retryInterval(interval))
                        .tryAcquire())
                .isEmpty();
        eventually().until(() -> locks.inspect(key).waiting().isEmpty());

        List<String> asked = sent(monitor).stream()
                .filter(line ->
                        line.contains("\"holdfast:fence\"") || verb(line).equals("SET"))
                .toList();
        // Once; without fencing the bare SET before that; and again when a subscription comes up that late.
        assertThat(asked).hasSizeBetween(1, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 50})
    void threeAttempts_areExactlyThreeCommandsSpaced(int millis) {
        assertThat(another().tryLock(key, TTL)).isPresent();
        Monitor monitor = monitor();

        assertThat(locks.lock(key, options -> options.maxAttempts(3).retryInterval(Duration.ofMillis(millis)))
                        .tryAcquire())
                .isEmpty();

        List<String> asked = sent(monitor).stream()
                .filter(line -> line.contains("\"holdfast:fence\""))
                .toList();
        assertThat(asked).hasSize(3);
        assertSpaced(asked, Duration.ofMillis(millis));
    }

    @Test
    void fence_hasOneKeyForAllLocks() {
        for (int i = 0; i < 5; i++) {
            locks.tryLock(key + ":" + i, TTL).orElseThrow().release();
        }
        assertThat(backdoor.keysContaining(key)).isEmpty();
        assertThat(backdoor.keysContaining("fence")).containsExactly("holdfast:fence");
    }

    private DistributedLock unfenced(Consumer<LockOptions.Builder> changes) {
        return locks.lock(key, options -> {
            options.ttl(TTL).fencing(false);
            changes.accept(options);
        });
    }

    private static void assertSpaced(List<String> lines, Duration interval) {
        for (int i = 1; i < lines.size(); i++) {
            // The client waits from the answer on; 2 ms for a server that stamps with a cached clock.
            assertThat(millis(lines.get(i)) - millis(lines.get(i - 1))).isGreaterThan(interval.toMillis() - 2.0);
        }
    }

    private String expectedRelease() {
        String[] version = redis().server().version().split("[ .]", -1);
        int number = Integer.parseInt(version[1]) * 100 + Integer.parseInt(version[2]);
        if (version[0].equals("redis") && number >= 804) {
            return "DELEX";
        }
        return version[0].equals("valkey") && number >= 900 ? "DELIFEQ" : "EVALSHA";
    }
}
