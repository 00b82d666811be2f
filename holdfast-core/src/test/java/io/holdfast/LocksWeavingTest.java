// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.MonotonicClock;
import org.junit.jupiter.api.Test;

/** An application's interface is in another package than what weaves it, and need not be public. */
class LocksWeavingTest {

    interface Shop {
        @Lock("order:{order.id}")
        String pay(Order order);

        String plain();
    }

    record Order(int id) {}

    private static final class Store implements Shop {
        @Override
        public String pay(Order order) {
            return Locks.current().key();
        }

        @Override
        public String plain() {
            return "plain";
        }
    }

    @Test
    void proxy_ofAnInterfaceThatIsNotPublic_works() {
        try (Holdfast locks = Holdfast.builder()
                .backend(new InMemoryBackend(MonotonicClock.SYSTEM))
                .build()) {
            Shop shop = Locks.proxy(Shop.class, new Store(), locks);

            assertThat(shop.pay(new Order(42))).isEqualTo("order:42");
            assertThat(shop.plain()).isEqualTo("plain");
        }
    }
}
