// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.holdfast");

    @Test
    void core_dependsOnNoRedisClient() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..", "io.lettuce..", "org.redisson..")
                .check(CORE);
    }

    @Test
    void core_dependsOnNothingBeyondTheJdkSlf4jAndJspecify() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "io.holdfast",
                        "io.holdfast.spi",
                        "io.holdfast.weaving",
                        "java..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(CORE);
    }

    @Test
    void publicSignatures_nameOnlyPublicTypes() {
        codeUnits()
                .that()
                .areDeclaredInClassesThat()
                .arePublic()
                .and()
                .arePublic()
                .should(nameOnlyPublicTypes())
                .allowEmptyShould(true)
                .check(CORE);
    }

    /** An engine type in a public signature is one that callers can receive and not name. */
    private static ArchCondition<JavaCodeUnit> nameOnlyPublicTypes() {
        return new ArchCondition<>("name only public types") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                        .map(JavaClass::getBaseComponentType)
                        .filter(type -> type.getPackageName().startsWith("io.holdfast"))
                        .filter(type -> !type.getModifiers().contains(PUBLIC))
                        .forEach(type ->
                                events.add(violated(unit, unit.getFullName() + " names the hidden " + type.getName())));
            }
        };
    }
}
