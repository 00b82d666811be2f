// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.testing.compile.JavaFileObjects;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nothing can be generated for is refused, unless nothing is to be generated. */
class RefusedTypesTest {
    private static final List<String> NO_WEAVING = List.of("-Aholdfast.weave=false");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            public final class Shop { % }                               | Shop is final
            public sealed class Shop permits Shop.A { % static final class A extends Shop {} } | Shop is sealed
            public record Shop(String id) { % }                         | RECORD Shop can't be woven
            public enum Shop { ONE; % }                                 | ENUM Shop can't be woven
            public class Shop { private Shop() {} % }                   | Shop has only private constructors
            public class Shop { class In { % } }                        | In is an inner class
            public class Shop { private static class In { % } }         | In is private
            public class Shop { private static class In { static class Deep { % } } } | In is private
            """)
    void type_thatNothingCanExtend_isRefusedAtTheMethod(String type, String message) {
        String source = type.replace("%", "\n@Lock(\"a\") public void f() {}\n");

        assertThat(Compiled.errors(Compiled.sources(List.of(), Compiled.source("Shop", source))))
                .singleElement()
                .asString()
                .startsWith("2: @Lock on ")
                .contains(message);
        assertThat(Compiled.errors(Compiled.sources(NO_WEAVING, Compiled.source("Shop", source))))
                .as("without weaving")
                .isEmpty();
    }

    @Test
    void abstractMethodOfAClass_isRefused() {
        assertThat(Compiled.errors(Compiled.sources(
                        List.of(),
                        Compiled.source("Shop", "public abstract class Shop {", "@Lock(\"a\") abstract void f(); }"))))
                .containsExactly(
                        "2: @Lock on Shop.f: an abstract method has nothing to run under the lock: annotate what "
                                + "implements it");
    }

    @Test
    void staticMethodOfAnInterface_isRefused() {
        assertThat(Compiled.errors(Compiled.sources(
                        List.of(),
                        Compiled.source("Shop", "public interface Shop {", "@Lock(\"a\") static void f() {} }"))))
                .singleElement()
                .asString()
                .contains("a private or static method can't be woven");
    }

    @Test
    void property_thatOtherPackagesMayNotRead_isRefused_unlessNothingIsGenerated() {
        var order = JavaFileObjects.forSourceLines(
                "other.Order", "package other;", "public class Order { String id() { return null; } }");
        var shop = Compiled.source("Shop", "public class Shop {", "@Lock(\"{o.id}\") void f(other.Order o) {} }");

        assertThat(Compiled.errors(Compiled.sources(List.of(), order, shop)))
                .containsExactly(
                        "2: @Lock on Shop.f: {o.id}: other.Order.id() is not accessible from the package of Shop");
        assertThat(Compiled.errors(Compiled.sources(NO_WEAVING, order, shop))).isEmpty();
    }

    @Test
    void signatureWithATypeThatOnlyTheClassSees_isRefused() {
        assertThat(Compiled.errors(Compiled.sources(
                        List.of(),
                        Compiled.source(
                                "Shop",
                                "public class Shop { private static class Secret {}",
                                "@Lock(\"a\") void f(List<Secret[]> x) {} }"))))
                .containsExactly("2: @Lock on Shop.f: Secret is not visible, and what takes the lock names it");
    }

    @Test
    void inheritedMethod_wrong_isToldAtTheClassThatInheritsIt() {
        assertThat(Compiled.errors(Compiled.sources(
                        List.of(),
                        Compiled.source(
                                "Shop",
                                "public class Shop extends Base {",
                                "@Lock(\"a\") public void g() {}",
                                "@Override public final void f() {} }"),
                        Compiled.source("Base", "public class Base { @Lock(\"b\") public void f() {} }"))))
                .containsExactly("1: @Lock on Shop.f: a final method can't be woven: what takes the lock overrides it");
    }

    @Test
    void generatedName_thatIsTaken_isTold() {
        assertThat(Compiled.errors(Compiled.sources(
                        List.of(),
                        Compiled.source("Shop", "public class Shop { @Lock(\"a\") public void f() {} }"),
                        Compiled.source("ShopLocked", "class ShopLocked {}"))))
                .containsExactly("1: shop.ShopLocked is to be generated for @Lock, but there is one already");
    }

    @Test
    void reactorsResults_withoutHoldfastReactor_areRefused() {
        var mono = JavaFileObjects.forSourceLines(
                "reactor.core.publisher.Mono", "package reactor.core.publisher;", "public class Mono<T> {}");
        var shop = Compiled.source(
                "Shop",
                "public class Shop {",
                "@Lock(\"a\") reactor.core.publisher.Mono<String> f() { return null; } }");
        var results = JavaFileObjects.forSourceLines(
                "io.holdfast.reactor.ReactorResults", "package io.holdfast.reactor;", "public class ReactorResults {}");

        assertThat(Compiled.errors(Compiled.sources(List.of(), mono, shop)))
                .containsExactly("2: @Lock on Shop.f: a lock that lasts until reactor.core.publisher.Mono ends needs "
                        + "io.holdfast:holdfast-reactor");
        assertThat(Compiled.errors(Compiled.sources(List.of(), mono, shop, results)))
                .isEmpty();
    }

    @Test
    void withoutWeaving_wrongAnnotations_areStillRefused() {
        assertThat(Compiled.errors(Compiled.sources(
                        NO_WEAVING,
                        Compiled.source("Shop", "public class Shop {", "@Lock(\"{x}\") public void f() {} }"))))
                .containsExactly("2: @Lock on Shop.f: {x} names no parameter; there are none");
    }
}
