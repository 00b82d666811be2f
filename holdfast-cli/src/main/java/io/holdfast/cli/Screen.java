// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.PrintStream;
import java.util.List;

/**
 * Where a run is shown: on a terminal a table that is redrawn in place, with what happened scrolling by above it;
 * elsewhere plain lines. Nothing about the terminal is changed for longer than one write, so nothing has to be restored
 * if the process dies. Plain ASCII. Thread-safe.
 */
public final class Screen {
    /** Set by the launcher to the number of rows, if standard output is a terminal. */
    static final String ROWS_PROPERTY = "holdfast.terminal.rows";

    private static final String NO_WRAP = "\033[?7l";
    private static final String WRAP = "\033[?7h";
    private static final String CLEAR_LINE = "\033[2K";

    private final PrintStream out;
    private final int rows;
    private List<String> shown = List.of();

    Screen(PrintStream out, int rows) {
        this.out = out;
        this.rows = rows;
    }

    /** Standard output. */
    public static Screen standard() {
        return new Screen(System.out, Integer.getInteger(ROWS_PROPERTY, 0));
    }

    /** Whether a table can be shown. */
    public boolean isLive() {
        return rows > 2;
    }

    /** A line that stays. */
    public synchronized void say(String line) {
        List<String> table = shown;
        StringBuilder text = erase();
        text.append(line).append('\n');
        write(text, table);
    }

    /** Replaces the table; as much of it as the terminal has room for. */
    public synchronized void show(List<String> table) {
        write(erase(), table.subList(0, Math.min(table.size(), rows - 1)));
    }

    /** Leaves the table where it is; what comes next goes below it. */
    public synchronized void leaveTable() {
        shown = List.of();
    }

    /** Moves to where the table begins and empties its lines. */
    private StringBuilder erase() {
        StringBuilder text = new StringBuilder();
        if (!shown.isEmpty()) {
            text.append("\033[").append(shown.size()).append('A').append("\033[J");
        }
        return text;
    }

    private void write(StringBuilder text, List<String> table) {
        if (!table.isEmpty()) {
            text.append(NO_WRAP);
            table.forEach(line -> text.append(CLEAR_LINE).append(line).append('\n'));
            text.append(WRAP);
        }
        shown = List.copyOf(table);
        out.print(text);
        out.flush();
    }
}
