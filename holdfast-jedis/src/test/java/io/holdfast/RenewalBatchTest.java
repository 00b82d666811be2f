// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RenewReply;
import io.holdfast.spi.RenewRequest;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Owners' holds are renewed one by one and the others in one command: each still gets its own answer. */
@HoldfastTest
class RenewalBatchTest {
    private static final long TTL_MILLIS = 30_000;

    private final Tokens tokens = new Tokens("host-a/4711");

    @Test
    void renew_batchOfOwnersAndOthers_givesEachItsOwnAnswer(RedisAddress address, EmbeddedRedis server) {
        JedisConnector connector = JedisConnector.connect(address);
        try (RawRedis raw = new RawRedis(server.host(), server.port());
                Alarms alarms = new Alarms(MonotonicClock.SYSTEM);
                LockBackend redis = new RedisBackend(
                        connector, new Mailbox(connector, "holdfast:ch:batch", alarms, MonotonicClock.SYSTEM))) {
            RenewRequest gone = taken(redis, "batch:gone", null);
            RenewRequest owned = taken(redis, "batch:owned", "request-42");
            RenewRequest broken = taken(redis, "batch:broken", "request-42");
            RenewRequest plain = taken(redis, "batch:plain", null);
            raw.call("DEL", gone.name().lockKey());
            raw.call("DEL", broken.name().holdsKey());
            raw.call("SET", broken.name().holdsKey(), "of another type");

            List<RenewReply> replies = redis.renew(List.of(gone, owned, broken, plain))
                    .toCompletableFuture()
                    .join();

            assertThat(replies).hasSize(4);
            assertThat(replies.get(0)).isEqualTo(new RenewReply.Gone());
            assertThat(replies.get(1)).isEqualTo(new RenewReply.Renewed());
            assertThat(replies.get(2)).isInstanceOf(RenewReply.Failed.class);
            assertThat(replies.get(3)).isEqualTo(new RenewReply.Renewed());
        }
    }

    private RenewRequest taken(LockBackend redis, String key, String owner) {
        LockName name = new KeySpace("holdfast", "lock", false).name(key);
        String token = tokens.next(TTL_MILLIS);
        AcquireRequest request = new AcquireRequest(name, token, TTL_MILLIS, -1, owner, 1, false, false);
        assertThat(redis.acquire(request).toCompletableFuture().join())
                .isEqualTo(new AcquireReply.Granted(0, false, false));
        return new RenewRequest(name, token, owner, TTL_MILLIS);
    }
}
