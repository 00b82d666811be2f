// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Holdfast with a defence taken out of its scripts: a test that passes without the defence proves nothing about it. Text that
 * stands in no script is an error, or a changed script would silently get its defence back.
 */
final class RewritingConnector extends ForwardingConnector {
    private final String defence;
    private final String instead;

    /** Fencing tokens that only count, without the server's time and without a floor: with the data they begin anew. */
    static RewritingConnector countingFences(RedisConnector inner) {
        return new RewritingConnector(
                inner, "local base = time[1] .. string.sub('00000' .. time[2], -6)", "local base = '1'; floor = ''");
    }

    /** Every script that contains the defence is sent with the other text in its place. */
    RewritingConnector(RedisConnector inner, String defence, String instead) {
        super(inner);
        if (Verbs.FILES.stream().noneMatch(file -> Verbs.script(file).contains(defence))) {
            throw new IllegalArgumentException("no script has this any more: " + defence);
        }
        this.defence = defence;
        this.instead = instead;
    }

    @Override
    public CompletionStage<@Nullable Object> send(RedisCommand command) {
        return inner.send(command.name().startsWith("EVAL") ? withoutDefence(command) : command);
    }

    private RedisCommand withoutDefence(RedisCommand command) {
        String script = Verbs.script(Verbs.of(command));
        if (!script.contains(defence)) {
            return command;
        }
        List<String> words = new ArrayList<>(command.words());
        words.set(0, "EVAL");
        words.set(1, script.replace(defence, instead));
        return new RedisCommand(words, command.keyIndex());
    }
}
