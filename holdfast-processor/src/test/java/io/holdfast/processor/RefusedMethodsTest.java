// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong annotation stops the compiler at its line, with the words that the run time has for it. */
class RefusedMethodsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            @Lock("order:{orderId}") void f(String id)            | {orderId} names no parameter; there is id
            @Lock("order:{orderId}") void f()                     | {orderId} names no parameter; there are none
            @Lock(key = "a", owner = "{who}") void f(String id)   | {who} names no parameter; there is id
            @Lock("order:{o.nr}") void f(Order o)                 | {o.nr}: shop.Order has no property nr: neither nr()
            @Lock("order:{o.hidden}") void f(Order o)             | shop.Order has no property hidden
            @Lock("order:{o.shared}") void f(Order o)             | shop.Order has no property shared
            @Lock("order:{o.id.x}") void f(Order o)               | {o.id.x}: long has no property x
            @Lock("order:{o.lines}") void f(Order o)              | {o.lines}: an array has no text that stands for it
            @Lock("order:{ids}") void f(String... ids)            | {ids}: an array has no text that stands for it
            @Lock("order:{id}") void f(Optional<String> id)       | {id}: java.util.Optional may be empty
            @Lock("order:{lease}") void f(Lease lease)            | the lease is there only once the lock is taken
            @Lock("order:{date.cdate}") void f(Date date)         | java.util.Date has no property cdate
            @Lock("order:{id") void f(String id)                  | "order:{id" has a { without its }
            @Lock("order:id}") void f(String id)                  | "order:id}" has a } without its {
            @Lock("order:{}") void f(String id)                   | {} in "order:{}" is neither a parameter nor a property
            @Lock("order:{#id}") void f(String id)                | {#id} in "order:{#id}" is neither a parameter nor
            @Lock(" ") void f()                                   | it is blank; name what it protects
            @Lock("a\\tb") void f()                               | it has a control character (code 9) at index 1
            @Lock void f()                                        | it has no key; name what it protects
            @Lock(value = "a", key = "b") void f()                | it has a key and a value, which are two words
            @Lock(key = "a", ttlMs = 0) void f()                  | ttl must be 1 ms to 24 h, was PT0S
            @Lock(key = "a", ttlMs = -1) void f()                 | ttl must be 1 ms to 24 h, was PT-0.001S
            @Lock(key = "a", ttlMs = 86_400_001) void f()         | ttl must be 1 ms to 24 h, was PT24H0.001S
            @Lock(key = "a", waitMs = -1) void f()                | wait must not be negative, was PT-0.001S
            @Lock(key = "a", retryMs = 0) void f()                | retryInterval must be positive, was PT0S
            @Lock(key = "a", maxAttempts = -1) void f()           | maxAttempts must not be negative, was -1
            @Lock(key = "a", maxHoldMs = 5) void f()              | maxHoldMs is for a lease that is renewed
            @Lock(key = "a", renew = true, maxHoldMs = -5) void f() | maxHold must be positive, was PT-0.005S
            @Lock(key = "a", onUnavailable = {FailurePolicy.FAIL, FailurePolicy.LOCAL}) void f() | onUnavailable takes one
            @Lock("a") private void f()                           | a private or static method can't be woven
            @Lock("a") static void f()                            | a private or static method can't be woven
            @Lock("a") final void f()                             | a final method can't be woven: what takes the lock overrides
            @Lock("a") void f(Lease one, Lease two)               | 2 parameters of type Lease, but only 1 lock
            @Lock("a") Future<String> f()                         | a Future tells nobody when it is done
            @Lock("a") FutureTask<String> f()                     | a Future tells nobody when it is done
            @Lock("a") Later f()                                  | the lock is to last until shop.Later is complete
            @Lock("a") Flow.Publisher<String> f()                 | the lock would end before anybody subscribes to
            @Lock("a") java.util.stream.IntStream f()             | the lock would end before anybody reads from
            @Lock("a") Scanner f()                                | the lock would end before anybody reads from java.util.Scanner
            @Lock(key = "a", onBusy = BusyPolicy.SKIP) int f()    | onBusy = SKIP has no int to return
            @Lock(key = "a", fallback = "g") void f()             | fallback = "g" needs onBusy = FALLBACK
            @Lock(key = "a", onBusy = BusyPolicy.FALLBACK) void f() | onBusy = FALLBACK needs the name of a method
            """)
    void annotation_wrong_isRefusedAtItsLine(String method, String message) {
        String body = method.contains(" void ") ? " {}" : " { throw new IllegalStateException(); }";
        assertThat(errors("public class Shop {", "  // the next line", "  " + method + body, "}"))
                .singleElement()
                .asString()
                .startsWith("3: @Lock on Shop.f: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            String g(long a, String b) { return ""; }                                | no method String g(int, String) to fall
            String g(int a) { return ""; }                                           | no method String g(int, String) to fall
            Object g(int a, String b) { return ""; }                                 | no method String g(int, String) to fall
            int g(int a, String b) { return 0; }                                     | no method String g(int, String) to fall
            private String g(int a, String b) { return ""; }                         | it must not be private
            String g(int a, String b, RuntimeException e) { return ""; }             | LockNotAcquiredException as its last
            String f(int a) { return ""; }                                           | no method String g(int, String) to fall
            String g(int a, String b) throws Exception { return ""; }                | fallback g throws java.lang.Exception
            """)
    void fallback_thatDoesNotMatch_isRefusedWhereItIsNamed(String fallback, String message) {
        assertThat(errors(
                        "public class Shop {",
                        "  @Lock(",
                        "    key = \"a\",",
                        "    onBusy = BusyPolicy.FALLBACK,",
                        "    fallback = \"g\")",
                        "  public String f(int a, String b) { return \"\"; }",
                        "  " + fallback,
                        "}"))
                .singleElement()
                .asString()
                .startsWith("5: @Lock on Shop.f: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource({"3,key = \"order:{nr}\"", "4,ttlMs = 0", "5,owner = \"{nr}\""})
    void element_wrong_isPointedAt(int line, String wrong) {
        String[] elements = {"key = \"order:{id}\"", "ttlMs = 5", "owner = \"{id}\""};
        elements[line - 3] = wrong;
        assertThat(errors(
                        "public class Shop {",
                        "  @Lock(",
                        "    " + elements[0] + ",",
                        "    " + elements[1] + ",",
                        "    " + elements[2],
                        "  ) public void f(String id) {}",
                        "}"))
                .singleElement()
                .asString()
                .startsWith(line + ": @Lock on Shop.f: ");
    }

    @Test
    void fallback_toItself_isRefused() {
        assertThat(errors(
                        "public class Shop {",
                        "  @Lock(key = \"a\", onBusy = BusyPolicy.FALLBACK, fallback = \"f\")",
                        "  public void f(String id) {}",
                        "}"))
                .singleElement()
                .asString()
                .contains("no method void f(String) to fall back to");
    }

    @Test
    void severalLocks_secondWrong_isNamed() { // the compiler knows no line for one of several, only the method's
        assertThat(errors(
                        "public class Shop {",
                        "  @Lock(\"a:{id}\")",
                        "  @Lock(\"b:{nr}\")",
                        "  public void f(String id) {}",
                        "}"))
                .containsExactly("4: @Lock(\"b:{nr}\") on Shop.f: {nr} names no parameter; there is id");
    }

    @Test
    void severalLocks_thatDisagree_areRefused() {
        assertThat(errors(
                        "public class Shop {",
                        "  @Lock(key = \"a\", onBusy = BusyPolicy.SKIP)",
                        "  @Lock(key = \"b\", onBusy = BusyPolicy.FALLBACK, fallback = \"g\")",
                        "  public void f() {}",
                        "  void g() {}",
                        "}"))
                .singleElement()
                .asString()
                .contains("@Lock(\"a\") and @Lock(\"b\") have different answers to a busy lock");
    }

    @Test
    void everyWrongMethod_isTold() {
        assertThat(errors(
                        "public class Shop {",
                        "  @Lock(\"a:{x}\") public void f() {}",
                        "  @Lock(\"a:{y}\") public void g() {}",
                        "}"))
                .extracting(error -> error.substring(0, 19))
                .containsExactly("2: @Lock on Shop.f:", "3: @Lock on Shop.g:");
    }

    private static List<String> errors(String... lines) {
        return Compiled.errors(Compiled.sources(
                List.of(),
                Compiled.source("Shop", lines),
                Compiled.source(
                        "Order",
                        "public class Order {",
                        "  private String hidden; public static String shared; public long id; String[] lines;",
                        "  private String nr() { return hidden; }",
                        "  static String getNr() { return shared; }",
                        "  void isNr() {}",
                        "}"),
                Compiled.source("Later", "public class Later extends CompletableFuture<String> {}")));
    }
}
