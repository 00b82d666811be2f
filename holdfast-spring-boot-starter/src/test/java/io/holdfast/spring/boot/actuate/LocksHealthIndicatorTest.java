// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.InMemoryLocks;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

@HoldfastTest
class LocksHealthIndicatorTest {
    private static final Duration ALWAYS = Duration.ZERO;
    private static final Duration SELDOM = Duration.ofMinutes(1);

    private static LocksHealthIndicator health(Holdfast locks) {
        return new LocksHealthIndicator(locks, new LocksHealthProperties(false, ALWAYS));
    }

    private static Holdfast connect(RedisAddress server) {
        return Holdfast.builder()
                .connector(LettuceConnector.connect(server))
                .closeWait(Duration.ZERO)
                .build();
    }

    @Test
    void renewalThatDoesNotGetThrough_isDownUntilOneDoes() {
        try (InMemoryLocks test = InMemoryLocks.frozen()) {
            Lease lease = test.locks().lock("order:42").acquire(); // 30 s, renewed every 10
            LocksHealthIndicator health = health(test.locks());
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            test.failBackend(Verb.RENEW);
            test.clock().advance(Duration.ofSeconds(10));

            await().until(() -> health.health().getStatus().equals(Status.DOWN));
            assertThat(health.health().getDetails())
                    .containsEntry("renewalsFailing", 1)
                    .containsEntry("failingKeys", List.of("order:42"));
            assertThat(lease.isHeld()).as("not lost yet").isTrue();

            test.healBackend();
            test.clock().advance(Duration.ofSeconds(5));
            await().until(() -> health.health().getStatus().equals(Status.UP));
        }
    }

    @Test
    void renewalThatDidNotGetThrough_isForgottenWithItsLease() {
        try (InMemoryLocks test = InMemoryLocks.frozen()) {
            Lease lease = test.locks().lock("order:42").acquire();
            test.failBackend(Verb.RENEW);
            test.clock().advance(Duration.ofSeconds(10));
            LocksHealthIndicator health = health(test.locks());
            await().until(() -> health.health().getStatus().equals(Status.DOWN));

            lease.release();

            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        }
    }

    @Test
    void degradedLease_isToldButUp() {
        try (InMemoryLocks test = InMemoryLocks.create()) {
            test.failBackend(Verb.ACQUIRE);
            Lease lease = test.locks()
                    .lock("order:42", options -> options.onUnavailable(FailurePolicy.LOCAL))
                    .acquire();
            assertThat(lease.isDegraded()).isTrue();

            Health told = health(test.locks()).health();

            assertThat(told.getStatus()).isEqualTo(Status.UP);
            assertThat(told.getDetails()).containsKey("degraded");
        }
    }

    @Test
    void noRedis_hasNoKnownPolicyAndIsUp() {
        try (InMemoryLocks test = InMemoryLocks.create()) {
            Health told = health(test.locks()).health();

            assertThat(told.getStatus()).isEqualTo(Status.UP);
            assertThat(told.getDetails())
                    .containsEntry("evictionPolicy", "unknown")
                    .doesNotContainKey("warning");
        }
    }

    @Test
    void policyThatMayDropLocks_isAWarningOrOutOfServiceAsSet(RedisAddress address, EmbeddedRedis server) {
        try (RawRedis raw = new RawRedis(server.host(), server.port());
                Holdfast locks = connect(address)) {
            LocksHealthIndicator seldom = new LocksHealthIndicator(locks, new LocksHealthProperties(false, SELDOM));
            assertThat(seldom.health().getDetails())
                    .containsEntry("evictionPolicy", "noeviction")
                    .doesNotContainKey("warning");
            raw.call("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
            assertThat(health(locks).health().getDetails())
                    .as("without a limit nothing is dropped")
                    .containsEntry("evictionPolicy", "volatile-lru")
                    .doesNotContainKey("warning");
            raw.call("CONFIG", "SET", "maxmemory", "100mb");

            Health told = health(locks).health();
            assertThat(told.getStatus()).as("still in the load balancer").isEqualTo(Status.UP);
            assertThat(told.getDetails()).containsKey("warning");
            assertThat(new LocksHealthIndicator(locks, new LocksHealthProperties(true, ALWAYS))
                            .health()
                            .getStatus())
                    .isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(seldom.health().getDetails())
                    .as("asked again only after a minute")
                    .containsEntry("evictionPolicy", "noeviction");
            raw.call("CONFIG", "SET", "maxmemory", "0");
            raw.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @Test
    void infoForbiddenByAnAcl_isUnknownAndUp(RedisAddress address, EmbeddedRedis server) {
        try (RawRedis raw = new RawRedis(server.host(), server.port())) {
            raw.call("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-info", "-config");
            try (Holdfast locks =
                    connect(RedisAddress.parse("redis://app:secret@" + address.host() + ":" + address.port()))) {
                Health told = health(locks).health();

                assertThat(told.getStatus()).isEqualTo(Status.UP);
                assertThat(told.getDetails()).containsEntry("evictionPolicy", "unknown");
            } finally {
                raw.call("ACL", "DELUSER", "app");
            }
        }
    }

    @Test
    void serverDown_withNothingHeld_isNotItsConcern(RedisAddress address, EmbeddedRedis server) {
        try (Holdfast locks = connect(address)) {
            server.kill();

            assertThat(health(locks).health().getStatus())
                    .as("the health of Redis says so")
                    .isEqualTo(Status.UP);
        }
    }
}
