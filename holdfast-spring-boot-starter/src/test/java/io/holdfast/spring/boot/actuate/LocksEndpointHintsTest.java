// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The endpoint can be called, and what it answers be written as JSON, in a native image too. */
class LocksEndpointHintsTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                LockView.Locks.class,
                LockView.Held.class,
                LockView.Waiting.class,
                LockContention.Contended.class,
                LockView.Lock.class,
                LockView.Holder.class,
                LockView.Released.class,
                LockView.Conflict.class,
                LockView.Refusal.class
            })
    void answer_isKnownToANativeImage(Class<?> answer) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(answer)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                .accepts(hints());
    }

    @ParameterizedTest
    @ValueSource(strings = {"process", "lock", "forceRelease"})
    void operation_canBeCalledInANativeImage(String name) {
        Method operation = Stream.of(LocksEndpoint.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name)
                        && AnnotatedElementUtils.hasMetaAnnotationTypes(method, Reflective.class))
                .findFirst()
                .orElseThrow();

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(operation))
                .accepts(hints());
    }

    private static RuntimeHints hints() {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("management.endpoints.web.exposure.include=locks")
                    .applyTo(source);
            source.registerBean(Holdfast.class);
            source.register(LockActuatorAutoConfiguration.class);
            new ApplicationContextAotGenerator().processAheadOfTime(source, generated);
        }
        return generated.getRuntimeHints();
    }
}
