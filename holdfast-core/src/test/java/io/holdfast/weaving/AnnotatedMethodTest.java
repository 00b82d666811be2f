// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockNotAcquiredException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What reflection finds on a method, and refuses before the first call. */
class AnnotatedMethodTest extends WeavingBench {

    record Customer(String name) {}

    interface Dated {
        default String getDay() {
            return "monday";
        }
    }

    static class Base {
        protected final int number = 7;
        private final String secret = "s";

        String secretText() {
            return secret;
        }
    }

    static class Order extends Base implements Dated {
        final String id = "field, which the method beats";
        static final String SHARED = "x";

        String id() {
            return "42";
        }

        Customer getCustomer() {
            return new Customer("ann");
        }

        boolean isPaid() {
            return true;
        }

        public String[] lines() {
            return new String[0];
        }
    }

    @SuppressWarnings("unused")
    static class Good {
        @Lock("{order.id}:{order.customer.name}:{order.paid}:{order.number}:{order.day}")
        void properties(Order order) {}

        @Lock("{order.customer.name}")
        void nothing(Order order) {}

        @Lock(value = "{id}", onBusy = BusyPolicy.FALLBACK, fallback = "later")
        String both(int id) {
            return "ran";
        }

        String later(int id) {
            return "later " + id;
        }

        String later(int id, LockNotAcquiredException busy) {
            return "later " + id + " " + busy.key();
        }

        @Lock(value = "{id}", onBusy = BusyPolicy.FALLBACK, fallback = "overloaded")
        String overloaded(int id) {
            return "ran";
        }

        String overloaded(int id, LockNotAcquiredException busy) {
            return "busy";
        }

        @Lock("b")
        @Lock("a")
        void leases(Lease first, String between, Lease second) {}

        void none() {}
    }

    @SuppressWarnings("unused")
    static class Bad {
        @Lock("{nr}")
        void parameter(String id) {}

        @Lock("{order.nr}")
        void property(Order order) {}

        @Lock("{order.secret}")
        void hidden(Order order) {}

        @Lock("{order.SHARED}")
        void shared(Order order) {}

        @Lock("{order.lines}")
        void array(Order order) {}

        @Lock("{id}")
        void optional(Optional<String> id) {}

        @Lock("{lease}")
        void lease(Lease lease) {}

        @Lock("a")
        void leases(Lease one, Lease two) {}

        @Lock("a")
        private void hiddenMethod() {}

        @Lock("a")
        static void staticMethod() {}

        @Lock("a")
        Future<String> future() {
            return null;
        }

        @Lock("a")
        Later stage() {
            return null;
        }

        @Lock("a")
        Stream<String> stream() {
            return null;
        }

        @Lock(value = "a", onBusy = BusyPolicy.SKIP)
        int skipped() {
            return 0;
        }

        @Lock(value = "a", onBusy = BusyPolicy.FALLBACK, fallback = "none")
        void fallback(int id) {}

        @Lock(value = "a", onBusy = BusyPolicy.FALLBACK, fallback = "itself")
        void itself(int id) {}

        @Lock(value = "a", onBusy = BusyPolicy.SKIP)
        @Lock(value = "b", onBusy = BusyPolicy.FALLBACK, fallback = "none")
        void policies() {}

        private void none(int id) {}
    }

    static final class Later extends CompletableFuture<String> {}

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            parameter    | {nr} names no parameter; there is id
            property     | has no property nr: neither nr(), nor a getter, nor a field that is not private
            hidden       | has no property secret
            shared       | has no property SHARED
            array        | an array has no text
            optional     | java.util.Optional may be empty
            lease        | the lease is there only once the lock is taken
            leases       | 2 parameters of type Lease, but only 1 lock
            hiddenMethod | a private or static method can't be woven
            staticMethod | a private or static method can't be woven
            future       | a Future tells nobody when it is done
            stage        | declare CompletionStage or CompletableFuture
            stream       | the lock would end before anybody reads from java.util.stream.Stream
            skipped      | onBusy = SKIP has no int to return
            fallback     | no method void none(int) to fall back to
            itself       | no method void itself(int) to fall back to
            policies     | @Lock("a") and @Lock("b") have different answers to a busy lock
            """)
    void find_wrong_saysWhereAndWhy(String method, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AnnotatedMethod.find(method(Bad.class, method), Bad.class))
                .withMessageStartingWith("@Lock on Bad." + method + ": ")
                .withMessageContaining(message);
    }

    @Test
    void find_withoutAnnotation_isEmpty() {
        assertThat(AnnotatedMethod.find(method(Good.class, "none"), Good.class)).isEmpty();
    }

    @Test
    void call_readsProperties_methodsBeforeFields() throws Throwable {
        call("properties", new Order());

        assertThat(log.get(0)).isEqualTo("acquired 42:ann:true:7:monday");
    }

    @Test
    void call_nullOnTheWay_isRefusedByThePlaceholder() {
        Order without = new Order() {
            @Override
            Customer getCustomer() {
                return null;
            }
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> call("nothing", without))
                .withMessageStartingWith("Good.nothing: order.customer.name is null");
        assertThatIllegalArgumentException().isThrownBy(() -> call("nothing", new Object[] {null}));
        assertThat(log).isEmpty();
    }

    @Test
    void fallback_thatTakesTheException_isPreferred() throws Throwable {
        try (Lease other = busy("7")) {
            assertThat(call("both", 7)).isEqualTo("later 7 7");
            assertThat(call("overloaded", 7)).isEqualTo("busy");
        }
    }

    @Test
    void leases_comeInTheOrderOfTheAnnotations_inPlaceOfWhatTheCallerGave() throws Throwable {
        Object[] given = {null, "x", null};
        Object[] seen = new Object[3];

        find("leases").call(locks, new Good(), given, arguments -> {
            System.arraycopy(arguments, 0, seen, 0, 3);
            return null;
        });

        assertThat(((Lease) seen[0]).key()).isEqualTo("b");
        assertThat(seen[1]).isEqualTo("x");
        assertThat(((Lease) seen[2]).key()).isEqualTo("a");
        assertThat(given).as("the caller's own").containsOnly(null, "x");
        assertThat(log).isEqualTo(List.of("acquired a", "acquired b", "released b", "released a"));
    }

    private Object call(String method, Object... arguments) throws Throwable {
        return find(method).call(locks, new Good(), arguments, under -> "ran");
    }

    private static AnnotatedMethod find(String name) {
        return AnnotatedMethod.find(method(Good.class, name), Good.class).orElseThrow();
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name)
                        && (method.getAnnotationsByType(Lock.class).length > 0 || name.equals("none")))
                .findFirst()
                .orElseThrow();
    }
}
