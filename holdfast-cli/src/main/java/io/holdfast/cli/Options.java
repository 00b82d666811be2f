// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

/** What an option may be; every refusal names it, the rule and what was given. */
public final class Options {
    private Options() {}

    /** A whole number within bounds. */
    public static void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new CommandFailure(option + " must be " + least + " to " + most + ", was " + value, null);
        }
    }

    /** A number within bounds; not a number is within none. */
    public static void within(String option, double value, double least, int most) {
        if (!(value >= least && value <= most)) {
            throw new CommandFailure(option + " must be " + least + " to " + most + ", was " + value, null);
        }
    }
}
