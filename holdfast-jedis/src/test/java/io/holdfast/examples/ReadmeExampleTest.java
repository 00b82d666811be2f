// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.testkit.DefaultPort;
import io.holdfast.testkit.RawRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's first example is this code, and this code works. */
class ReadmeExampleTest {
    private static final int MOST_LINES = 12;
    private static final Pattern FIRST_JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern MARKED =
            Pattern.compile("// README begins\\n(.*?)\\n *// README ends", Pattern.DOTALL);
    private static final Path SOURCE = Path.of("src/test/java/io/holdfast/examples/ReadmeExample.java");

    @Test
    void example_isTheFirstOfTheReadmeWordForWord() throws IOException {
        String marked = first(MARKED, Files.readString(SOURCE)).stripIndent();

        assertThat(first(FIRST_JAVA_BLOCK, Files.readString(Path.of("../README.md")))
                        .stripTrailing())
                .isEqualTo(marked);
        assertThat(marked.lines().count()).isLessThanOrEqualTo(MOST_LINES);
    }

    @Test
    void example_runs() {
        Optional<DefaultPort> port = DefaultPort.claim();
        assumeTrue(port.isPresent(), "port 6379 is taken, and the README's example connects there");
        try (DefaultPort claimed = port.get();
                RawRedis redis = new RawRedis("localhost", claimed.server().port())) {
            ReadmeExample example = new ReadmeExample();

            example.run();

            assertThat(example.done).containsExactly("paid 42", "stored report with a fencing token");
            assertThat(redis.exists("holdfast:lock:order:42")).isFalse();
            assertThat(redis.exists("holdfast:lock:report:daily")).isFalse();
        }
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s", pattern).isTrue();
        return matcher.group(1);
    }
}
