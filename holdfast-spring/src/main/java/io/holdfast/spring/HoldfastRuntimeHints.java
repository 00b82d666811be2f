// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Takes the Lua files into a native image. Connectors need no hint: native images know {@code ServiceLoader}. */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/holdfast/*.lua");
    }
}
