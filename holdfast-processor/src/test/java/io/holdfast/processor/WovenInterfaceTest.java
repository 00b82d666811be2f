// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.Lease;
import io.holdfast.Locks;
import io.holdfast.processor.examples.OrderApi;
import io.holdfast.processor.examples.OrderApiLocked;
import io.holdfast.processor.examples.Repository_BaseLocked;
import io.holdfast.testkit.InMemoryLocks;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was generated for an interface, and for a class with type parameters. */
class WovenInterfaceTest {
    private final InMemoryLocks test = InMemoryLocks.frozen();
    private final OrderApi<String> orders = new OrderApiLocked<>(test.locks(), new Names());

    @AfterEach
    void nothingIsLeft() {
        assertThat(test.locks().heldLeases()).isZero();
        test.close();
    }

    @Test
    void annotatedMethods_runUnderTheirLocks_ofTheDelegate() {
        assertThat(orders.all()).containsExactly("orders"); // a default method the delegate overrides
        assertThat(orders.add("a")).isTrue();
    }

    @Test
    void fallback_isTheDelegates() {
        try (Lease other =
                test.anotherProcess().tryLock("order:a", Duration.ofSeconds(30)).orElseThrow()) {
            assertThat(orders.add("a")).isFalse();
        }
    }

    @Test
    void otherMethods_inheritedAndGenericToo_arePassedOn() throws InterruptedException {
        assertThat(orders).containsExactly("x", "y");
        assertThat(orders.first(List.of(), "z")).isEqualTo("z");
    }

    @Test
    void delegate_missing_isNamed() {
        assertThatNullPointerException()
                .isThrownBy(() -> new OrderApiLocked<String>(test.locks(), null))
                .withMessage("delegate must not be null");
    }

    @Test
    void abstractClass_isWovenForThoseThatExtendIt() {
        Repository_BaseLocked<Integer, String> repository = new Repository_BaseLocked<>(test.locks()) {
            @Override
            protected String make(Integer key) {
                return Locks.current().key();
            }
        };

        assertThat(repository.load(7)).isEqualTo("base:7");
    }

    private static final class Names implements OrderApi<String> {
        @Override
        public boolean add(String order) {
            return Locks.current("order:" + order).isHeld();
        }

        @Override
        public List<String> all() {
            return List.of(Locks.current().key());
        }

        @Override
        @SafeVarargs
        public final <S extends String> S first(List<? super S> orders, S... others) {
            return others[0];
        }

        @Override
        public Iterator<String> iterator() {
            return List.of("x", "y").iterator();
        }
    }
}
