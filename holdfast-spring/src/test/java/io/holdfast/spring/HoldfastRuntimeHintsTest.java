// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class HoldfastRuntimeHintsTest {

    @Test
    void everyLuaFile_isInANativeImage() throws IOException {
        Resource[] scripts = new PathMatchingResourcePatternResolver().getResources("classpath*:/io/holdfast/**/*.lua");
        assertThat(scripts).hasSizeGreaterThan(10);
        RuntimeHints hints = new RuntimeHints();
        AotServices.factories().load(RuntimeHintsRegistrar.class).stream()
                .filter(HoldfastRuntimeHints.class::isInstance)
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
        assertThat(scripts)
                .allMatch(script -> RuntimeHintsPredicates.resource()
                        .forResource("io/holdfast/" + script.getFilename())
                        .test(hints));
    }
}
