// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRegisterTest {
    @TempDir
    Path folder;

    @Test
    void register_refusesALowerTokenOnTheSameLockOnly_alsoThroughAnotherMapping() {
        SharedRegister first = SharedRegister.open(folder.resolve("register"), 2);
        SharedRegister second = SharedRegister.open(folder.resolve("register"), 2);
        assertThat(first.write(0, 5)).isTrue();
        assertThat(second.write(0, 4)).isFalse();
        assertThat(second.write(0, 5)).as("the holder's own second write").isTrue();
        assertThat(second.write(1, 4)).isTrue();
        assertThat(first.write(0, 6)).isTrue();
        assertThat(second.write(0, 5)).isFalse();
    }
}
