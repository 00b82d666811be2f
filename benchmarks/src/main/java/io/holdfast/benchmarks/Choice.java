// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.util.List;
import java.util.stream.Collectors;

/** Finds a thing by the name its {@code toString()} gives, and says which there are when there is no such. */
final class Choice {
    private Choice() {}

    static <T> T of(String kind, String name, List<T> all) {
        return all.stream()
                .filter(one -> one.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no " + kind + " '" + name + "'; there are "
                        + all.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }
}
