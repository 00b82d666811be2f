// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockBackendException;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What {@code @HoldfastTest} promises: one server for the class, there and empty for each test. */
@HoldfastTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HoldfastExtensionTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Set<EmbeddedRedis> SERVERS = new HashSet<>();
    private static final Set<Holdfast> PROCESSES = new HashSet<>();

    private Holdfast early;

    @BeforeEach
    void remember(EmbeddedRedis server, Holdfast locks) {
        SERVERS.add(server);
        PROCESSES.add(locks);
        early = locks;
    }

    @AfterAll
    static void oneServerAndOneProcessForEachTest() {
        assertThat(SERVERS).hasSize(1);
        assertThat(PROCESSES).hasSize(5);
        assertThatThrownBy(() -> PROCESSES.iterator().next().tryLock("a", TTL)).hasMessageContaining("closed");
    }

    @Test
    @Order(1)
    void parameters_allMeanTheSameServer(
            Holdfast locks, LockManager manager, EmbeddedRedis server, RedisAddress address, URI uri) {
        assertThat(manager).isSameAs(locks).isSameAs(early);
        assertThat(address.port()).isEqualTo(server.port()).isEqualTo(uri.getPort());
        assertThat(locks.tryLock("left-behind", TTL)).isPresent();
    }

    @Test
    @Order(2)
    void killedServer_isDown(LockManager locks, EmbeddedRedis server) {
        assertThat(locks.inspect("left-behind").isHeld()).as("emptied").isFalse();
        server.kill();
        assertThatThrownBy(() -> locks.tryLock("order:42", TTL)).isInstanceOf(LockBackendException.class);
    }

    @Test
    @Order(3)
    void afterAKill_isBack(LockManager locks, EmbeddedRedis server) {
        assertThat(locks.tryLock("order:42", TTL)).isPresent();
        server.pause();
    }

    @Test
    @Order(4)
    void afterAPause_isBackAndEmpty(LockManager locks, RedisAddress address) {
        assertThat(locks.tryLock("order:42", TTL)).isPresent();
        try (RawRedis redis = new RawRedis(address.host(), address.port())) {
            assertThat(redis.exists("holdfast:lock:order:42")).isTrue();
        }
    }

    @Nested
    class Inner {
        @Test
        void nestedClass_sharesTheServer(EmbeddedRedis server) {
            assertThat(SERVERS).containsExactly(server);
        }
    }
}
