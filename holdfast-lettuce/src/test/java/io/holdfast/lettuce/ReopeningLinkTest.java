// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.RedisCommand;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What becomes of the reason why a connection could not be opened. */
class ReopeningLinkTest {
    private static final String LOST = "Connection closed prematurely";

    private final Queue<RuntimeException> failures = new ArrayDeque<>();
    private final ReopeningLink link = new ReopeningLink(this::fail, last -> {}, Link::write);

    @Test
    void reasonThatGotLost_isAskedForOnceMore() {
        failures.addAll(
                List.of(new CompletionException(new RedisConnectionException(LOST)), new RedisException("WRONGPASS")));

        assertThat(failure()).hasMessageContaining("WRONGPASS");
    }

    @Test
    void reasonThatStaysLost_isNotAskedForAgain() {
        failures.addAll(List.of(
                new RedisConnectionException(LOST),
                new RedisConnectionException(LOST),
                new RedisException("not asked for")));

        assertThat(failure()).hasMessageContaining(LOST);
        assertThat(failures).hasSize(1);
    }

    @Test
    void otherReason_isTakenAsItIs() {
        failures.addAll(List.of(new RedisConnectionException("Connection refused"), new RedisException("another")));

        assertThat(failure()).hasMessageContaining("Connection refused");
    }

    private Throwable failure() {
        WireCommand wire = new WireCommand(RedisCommand.keyless("PING"), "here", Duration.ofSeconds(2));
        link.dispatch(wire);
        return wire.handle((reply, failure) -> failure).join();
    }

    private CompletionStage<StatefulRedisConnection<byte[], byte[]>> fail() {
        return CompletableFuture.failedFuture(failures.remove());
    }
}
