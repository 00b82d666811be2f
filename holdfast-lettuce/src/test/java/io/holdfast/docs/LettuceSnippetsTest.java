// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.lettuce.LettuceConnector;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Snippets of the docs that need Lettuce; the docs' own test lives in holdfast-jedis. */
class LettuceSnippetsTest {

    @Test
    void lettuce_ownClient() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RedisClient client = RedisClient.create(redis.uri())) {
            client.connect().close(); // an application's client is warm; the first connect of a JVM takes Lettuce long
            Holdfast locks =
                    Holdfast.builder().connector(LettuceConnector.using(client)).build();
            assertThat(locks.tryLock("order:1", Duration.ofSeconds(10))).isPresent();
            locks.close();
        }
    }
}
