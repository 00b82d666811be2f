// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server that says it knows DELEX and refuses it all the same; what real ones do is in the contract suites. */
class NativeDeleteTest {
    private final List<String> sent = new ArrayList<>();
    private final NativeDelete delete = new NativeDelete(refusing());

    @Test
    void delete_refused_isDoneByTheScriptAndNotAskedForAgain() {
        for (int i = 0; i < 3; i++) {
            assertThat(delete.delete("lock:order:42", "token", this::script)).isCompletedWithValue(true);
        }

        assertThat(sent).containsExactly("COMMAND", "DELEX", "script", "script", "script");
    }

    private CompletableFuture<Boolean> script() {
        sent.add("script");
        return CompletableFuture.completedFuture(true);
    }

    private RedisConnector refusing() {
        return (RedisConnector) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RedisConnector.class}, (proxy, method, arguments) -> {
                    RedisCommand command = (RedisCommand) arguments[0];
                    sent.add(command.name());
                    return command.name().equals("COMMAND")
                            ? CompletableFuture.completedFuture(List.of(List.of("delex"), List.of()))
                            : CompletableFuture.failedFuture(new RedisReplyException("NOPERM no permission for delex"));
                });
    }
}
