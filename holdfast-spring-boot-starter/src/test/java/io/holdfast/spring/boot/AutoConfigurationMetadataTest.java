// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.AutoConfigureBefore;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** What Boot believes instead of the annotations has to say the same as they do. */
class AutoConfigurationMetadataTest {
    private static final String FILE = "/META-INF/spring-autoconfigure-metadata.properties";

    @Test
    void metadata_saysWhatTheAnnotationsSay() throws Exception {
        Map<String, String> expected = new TreeMap<>();
        for (String name : ImportCandidates.load(AutoConfiguration.class, null)) {
            if (name.startsWith("io.holdfast.")) {
                describe(Class.forName(name), expected);
            }
        }
        assertThat(expected).isNotEmpty();
        assertThat(written()).isEqualTo(expected);
    }

    private static void describe(Class<?> type, Map<String, String> into) {
        MergedAnnotations annotations = MergedAnnotations.from(type);
        into.put(type.getName(), "");
        // Boot would not look at these any more: the order is said by @AutoConfiguration's own attributes.
        assertThat(type.getAnnotations())
                .doesNotHaveAnyElementsOfTypes(
                        AutoConfigureOrder.class, AutoConfigureAfter.class, AutoConfigureBefore.class);
        describe(annotations.get(AutoConfiguration.class), type, "AutoConfigureAfter", into, "after", "afterName");
        describe(annotations.get(AutoConfiguration.class), type, "AutoConfigureBefore", into, "before", "beforeName");
        describe(annotations.get(ConditionalOnBean.class), type, "ConditionalOnBean", into, "value", "type");
        describe(annotations.get(ConditionalOnClass.class), type, "ConditionalOnClass", into, "value", "name");
        describe(
                annotations.get(ConditionalOnSingleCandidate.class),
                type,
                "ConditionalOnSingleCandidate",
                into,
                "value",
                "type");
        MergedAnnotation<ConditionalOnWebApplication> web = annotations.get(ConditionalOnWebApplication.class);
        if (web.isPresent()) {
            into.put(
                    type.getName() + ".ConditionalOnWebApplication",
                    web.hasDefaultValue("type")
                            ? ""
                            : String.valueOf(web.getValue("type").orElseThrow()));
        }
    }

    private static void describe(
            MergedAnnotation<?> annotation, Class<?> type, String key, Map<String, String> into, String... attributes) {
        if (!annotation.isPresent()) {
            return;
        }
        Map<String, Object> values = annotation.asMap(MergedAnnotation.Adapt.CLASS_TO_STRING);
        String named = Arrays.stream(attributes)
                .map(values::get)
                .flatMap(value -> value instanceof String[] many ? Stream.of(many) : Stream.of((String) value))
                .filter(name -> !name.isEmpty() && !name.equals("void"))
                .collect(Collectors.joining(","));
        if (!named.isEmpty()) {
            into.put(type.getName() + "." + key, named);
        }
    }

    private static Map<String, String> written() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = HoldfastAutoConfiguration.class.getResourceAsStream(FILE)) {
            properties.load(file);
        }
        return properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith("io.holdfast."))
                .collect(Collectors.toMap(name -> name, properties::getProperty, (a, b) -> b, TreeMap::new));
    }
}
