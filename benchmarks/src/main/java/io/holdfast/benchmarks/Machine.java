// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.Locale;

/**
 * Where a run took place, as far as it matters: no names, no paths.
 *
 * @param server product and version
 */
record Machine(String server) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d cores (%s), %s %s, JDK %s (%s), %s",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.arch"),
                System.getProperty("os.name"),
                System.getProperty("os.version").replaceFirst("-.*", ""), // not whose build it is
                Runtime.version().toString(),
                System.getProperty("java.vendor"),
                server);
    }
}
