// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.LockManager;
import io.holdfast.spring.HoldfastLifecycle;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** The code that Spring writes ahead of time for a native image: written, compiled, and started on this JVM. */
class AheadOfTimeTest {
    private static final TestPropertyValues SETTINGS =
            TestPropertyValues.of("spring.data.redis.host=redis.internal", "holdfast.shutdown.phase=7");

    @Test
    @CompileWithForkedClassLoader // what is written lies in packages of classes that are not public
    void context_writtenAheadOfTime_hasLocksAndTheirLuaFiles() {
        TestGenerationContext generated = new TestGenerationContext();
        ClassName entry;
        try (GenericApplicationContext source = new AnnotationConfigApplicationContext()) {
            SETTINGS.applyTo(source);
            source.registerBean(Application.class);
            entry = new ApplicationContextAotGenerator().processAheadOfTime(source, generated);
        }
        generated.writeGeneratedContent();
        assertThat(RuntimeHintsPredicates.resource().forResource("io/holdfast/acquire.lua"))
                .accepts(generated.getRuntimeHints());
        TestCompiler.forSystem().with(generated).compile(compiled -> {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                SETTINGS.applyTo(context);
                initializer(compiled.getInstance(ApplicationContextInitializer.class, entry.toString()))
                        .initialize(context);
                context.refresh();
                assertThat(context.getBean(LockManager.class)).isInstanceOf(Holdfast.class);
                assertThat(context.getBean(Holdfast.class)).hasToString("Holdfast[redis://redis.internal:6379]");
                assertThat(context.getBean(HoldfastLifecycle.class).getPhase()).isEqualTo(7);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(Object compiled) {
        return (ApplicationContextInitializer<GenericApplicationContext>) compiled;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class})
    static class Application {}
}
