// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void say_withoutATerminal_writesThePlainLine() {
        Screen screen = new Screen(out, 0);
        assertThat(screen.isLive()).isFalse();
        screen.say("one");
        screen.say("two");
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
    }

    @Test
    void say_onATerminal_goesAboveTheTable() {
        Screen screen = new Screen(out, 24);
        screen.show(List.of("table"));
        bytes.reset();
        screen.say("news");
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("\033[1A\033[Jnews\n")
                .contains("table");
    }

    @Test
    void show_onALowTerminal_leavesOutTheRest() {
        new Screen(out, 3).show(List.of("a", "b", "c", "d"));
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("a\n")
                .contains("b\n")
                .doesNotContain("c\n");
    }

    @Test
    void printable_keepsEscapesFromTheTerminal() {
        assertThat(Format.printable("a\033[2Jb\u009bc\u202ed")).isEqualTo("a?[2Jb?c?d");
    }
}
