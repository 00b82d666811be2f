// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FreezerTest {
    @Test
    void freeze_stopsAProcess_untilClosed() throws IOException {
        Process process = new ProcessBuilder("cat").start();
        try {
            try (Freezer freezer = Freezer.freeze(process.pid())) {
                await().atMost(Duration.ofSeconds(20)).until(() -> isStopped(process));
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> !isStopped(process));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void freeze_ofAProcessThatIsGone_isRefused() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThatThrownBy(() -> Freezer.freeze(process.pid())).isInstanceOf(UncheckedIOException.class);
    }

    private static boolean isStopped(Process process) throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(process.pid())).start();
        return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).startsWith("T");
    }
}
