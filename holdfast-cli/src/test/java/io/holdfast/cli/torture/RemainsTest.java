// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.history.Leftovers;
import org.junit.jupiter.api.Test;

/** What is left on a server must be found, and what stays by design must not. */
class RemainsTest {
    @Test
    void look_findsKeysQueueEntriesChannelsAndUncleanWorkers() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                RawRedis redis = new RawRedis(server.host(), server.port());
                RawRedis listener = new RawRedis(server.host(), server.port())) {
            redis.call("SET", "torture:fence", "1");
            redis.call("SET", "another:lock:order:1", "not ours");
            assertThat(Remains.look(redis, 0)).isEqualTo(Leftovers.NONE);

            redis.call("SET", "torture:lock:order:1", "token");
            redis.call("ZADD", "torture:queue:order:1", "1", "a", "2", "b");
            listener.call("SUBSCRIBE", "torture:ch:somebody");
            assertThat(Remains.look(redis, 1)).isEqualTo(new Leftovers(2, 2, 1, 1));
        }
    }
}
