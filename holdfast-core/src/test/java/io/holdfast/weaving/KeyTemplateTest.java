// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTemplateTest {

    @Test
    void placeholders_parametersAndProperties_inOrder() {
        assertThat(KeyTemplate.parse("{a}:x:{order.customer.id}{b}").placeholders())
                .containsExactly(List.of("a"), List.of("order", "customer", "id"), List.of("b"));
        assertThat(KeyTemplate.parse("plain").placeholders()).isEmpty();
    }

    @Test
    void render_putsValuesInTheirPlaces_fromTheOffsetOn() {
        KeyTemplate template = KeyTemplate.parse("{a}:x:{b}!");

        assertThat(template.render(new Object[] {"not this", 1, 'c', "nor this"}, 1))
                .isEqualTo("1:x:c!");
        assertThat(KeyTemplate.parse("{a}{b}").render(new Object[] {"{b}", 2L}, 0))
                .as("a value is no template")
                .isEqualTo("{b}2");
        assertThat(KeyTemplate.parse("plain").render(new Object[0], 0)).isEqualTo("plain");
    }

    @Test
    void render_nullOrBlank_isRefusedByName() {
        KeyTemplate template = KeyTemplate.parse("order:{order.id}");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.render(new Object[] {null}, 0))
                .withMessage(
                        "order.id is null in \"order:{order.id}\": a lock without its id would be shared by all callers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.render(new Object[] {" \t"}, 0))
                .withMessageStartingWith("order.id is blank in");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.render(new Object[] {new Nameless()}, 0))
                .withMessageStartingWith("order.id is null in");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ` `        | it is blank
            a{b        | "a{b" has a { without its }
            a}b        | "a}b" has a } without its {
            {a}b}      | "{a}b}" has a } without its {
            {}         | {} in "{}" is neither a parameter nor a property of one
            {a.}       | {a.} in "{a.}" is neither a parameter
            {.a}       | {.a} in "{.a}" is neither a parameter
            {a..b}     | {a..b} in "{a..b}" is neither a parameter
            {1a}       | {1a} in "{1a}" is neither a parameter
            {a b}      | {a b} in "{a b}" is neither a parameter
            {a{b}}     | {a{b} in "{a{b}}" is neither a parameter
            {#a}       | {#a} in "{#a}" is neither a parameter
            {a.b()}    | {a.b()} in "{a.b()}" is neither a parameter
            """)
    void parse_wrong_saysWhat(String template, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyTemplate.parse(template))
                .withMessageContaining(message);
    }

    @Test
    void parse_whatNoKeyMayHave_isRefusedBeforeAnyCall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyTemplate.parse("a\nb:{c}"))
                .withMessage("it has a control character (code 10) at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyTemplate.parse("ä".repeat(256) + "{id}"))
                .withMessage("it must be at most 512 bytes of UTF-8, was 512 without its placeholders");
        assertThat(KeyTemplate.parse("ä".repeat(256)).toString()).hasSize(256);
        assertThat(KeyTemplate.parse("k{aVeryLongNameOfAParameter" + "x".repeat(600) + "}")
                        .placeholders())
                .hasSize(1);
    }

    private static final class Nameless {
        @Override
        @SuppressWarnings("ToStringReturnsNull") // others do
        public String toString() {
            return null;
        }
    }
}
