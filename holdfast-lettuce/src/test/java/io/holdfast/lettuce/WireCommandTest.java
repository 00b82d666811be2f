// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class WireCommandTest {
    private static final String PING = "*1\r\n$4\r\nPING\r\n";

    private final WireCommand command = wire(Duration.ofMinutes(1));

    @Test
    void encode_writesTheWordsAsBulkStrings() {
        assertThat(encoded(command)).isEqualTo("*3\r\n$3\r\nSET\r\n$11\r\nkey-of-11-b\r\n$6\r\ngrüß\r\n");
    }

    @Test
    void encodedAgain_isPing_andNoReply() {
        encoded(command);

        assertThat(encoded(command)).isEqualTo(PING);
        assertThat(command).as("before the reply to the PING").isNotDone();
        answerPing(command);
        assertThat(failure(command).maybeExecuted()).isTrue();
    }

    @Test
    void encodedTooLate_isPing_andNotSent() {
        WireCommand late = wire(Duration.ofNanos(-1));

        assertThat(encoded(late)).isEqualTo(PING);
        assertThat(late).as("before the reply to the PING").isNotDone();
        answerPing(late);
        assertThat(failure(late).maybeExecuted()).isFalse();
    }

    @Test
    void connectionLostBeforeThePingIsAnswered_isWhatItWasBefore() {
        WireCommand late = wire(Duration.ofNanos(-1));
        encoded(late);
        encoded(command);
        encoded(command);

        late.completeExceptionally(new RedisException("Connection closed"));
        command.cancel();

        assertThat(failure(late).maybeExecuted()).isFalse();
        assertThat(failure(command).maybeExecuted()).isTrue();
    }

    @Test
    void encodedAfterItFailed_isPing() {
        command.completeExceptionally(new RedisException("rejected"));

        assertThat(encoded(command)).isEqualTo(PING);
        assertThat(failure(command).maybeExecuted()).isFalse();
    }

    @Test
    void failedAfterEncoding_isNoReply() {
        encoded(command);

        command.completeExceptionally(new RedisException("Currently not connected. Commands are rejected."));

        assertThat(failure(command).maybeExecuted()).isTrue();
    }

    @Test
    void timedOutBeforeEncoding_isNoReply() {
        command.completeExceptionally(new RedisCommandTimeoutException("slow"));

        assertThat(failure(command).maybeExecuted()).isTrue();
    }

    @Test
    void cancelled_dependsOnWhetherItWasEncoded() {
        WireCommand written = wire(Duration.ofMinutes(1));
        encoded(written);

        command.cancel();
        written.cancel();

        assertThat(failure(command).maybeExecuted()).isFalse();
        assertThat(failure(written).maybeExecuted()).isTrue();
    }

    @Test
    void errorReply_isTheServersLine() {
        command.getOutput().setError(ByteBuffer.wrap("OOM no room".getBytes(StandardCharsets.US_ASCII)));
        command.complete();

        assertThat(catchThrowable(command::get))
                .isInstanceOf(ExecutionException.class)
                .hasCause(new RedisReplyException("OOM no room"));
    }

    private static WireCommand wire(Duration timeout) {
        return new WireCommand(new RedisCommand(List.of("SET", "key-of-11-b", "grüß"), 1), "here", timeout);
    }

    private static String encoded(WireCommand command) {
        ByteBuf out = Unpooled.buffer();
        command.encode(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void answerPing(WireCommand command) {
        command.getOutput().set(ByteBuffer.wrap("PONG".getBytes(StandardCharsets.US_ASCII)));
        command.complete();
    }

    private static RedisConnectionException failure(WireCommand command) {
        return (RedisConnectionException) catchThrowable(command::get).getCause();
    }
}
