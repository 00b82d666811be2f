// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.Locks;
import java.io.IOException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LockedProxyTest extends WeavingBench {

    /** Not public, as an application's own may be. */
    interface Shop {
        @Lock("face:{id}")
        String onFace(String id) throws IOException;

        String onClass(String id);

        String onParent(String id);

        default String plain() {
            return "plain";
        }
    }

    static class Parent {
        @Lock("parent:{id}")
        public String onParent(String id) {
            return Locks.current().key();
        }
    }

    static class Store extends Parent implements Shop {
        @Override
        public String onFace(String id) throws IOException {
            if (id.equals("fail")) {
                throw new IOException("as the test asked for");
            }
            return Locks.current().key();
        }

        @Override
        @Lock(value = "class:{id}", onBusy = BusyPolicy.FALLBACK, fallback = "later")
        public String onClass(String id) {
            return Locks.current().key();
        }

        String later(String id) {
            return "later " + id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Store;
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public String toString() {
            return "the store";
        }
    }

    /** With generics, the interface's method and the class's have different parameters. */
    static class Length implements Function<String, Integer> {
        @Override
        @Lock("length:{text}")
        public Integer apply(String text) {
            assertThat(Locks.current().key()).isEqualTo("length:" + text);
            return text.length();
        }
    }

    private final Shop shop = Locks.proxy(Shop.class, new Store(), locks);

    @Test
    void annotation_onTheInterfaceTheClassOrASuperclass_counts() throws IOException {
        assertThat(shop.onFace("1")).isEqualTo("face:1");
        assertThat(shop.onClass("2")).isEqualTo("class:2");
        assertThat(shop.onParent("3")).isEqualTo("parent:3");
    }

    @Test
    void annotation_onAClassThatNarrowsAGenericInterface_counts() {
        @SuppressWarnings("unchecked")
        Function<String, Integer> length = Locks.proxy(Function.class, new Length(), locks);

        assertThat(length.apply("abc")).isEqualTo(3);
    }

    @Test
    void otherMethods_arePassedOn() {
        assertThat(shop.plain()).isEqualTo("plain");
        assertThat(shop).hasToString("the store");
        assertThat(log).isEmpty();
    }

    @Test
    void equality_isThatOfTheTargets() {
        Shop alike = Locks.proxy(Shop.class, new Store(), locks);

        assertThat(shop).isEqualTo(alike).hasSameHashCodeAs(alike).isEqualTo(shop);
        assertThat(shop.equals(new Store())).isFalse();
        assertThat(shop.equals(null)).isFalse();
    }

    @Test
    void checkedException_comesOutAsItIs() {
        assertThatThrownBy(() -> shop.onFace("fail")).isInstanceOf(IOException.class);
    }

    @Test
    void fallback_ofTheTarget_isCalled() {
        try (Lease other = busy("class:2")) {
            assertThat(shop.onClass("2")).isEqualTo("later 2");
        }
    }

    @Test
    void proxy_ofNothingToLock_orOfAClass_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Locks.proxy(Runnable.class, () -> {}, locks))
                .withMessageContaining("no method of java.lang.Runnable has a @Lock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Locks.proxy(Store.class, new Store(), locks))
                .withMessageContaining("is not an interface")
                .withMessageContaining("holdfast-processor weaves classes");
    }

    @Test
    void null_isNamed() {
        assertThatNullPointerException()
                .isThrownBy(() -> Locks.proxy(null, new Store(), locks))
                .withMessage("face must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Locks.proxy(Shop.class, null, locks))
                .withMessage("target must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Locks.proxy(Shop.class, new Store(), null))
                .withMessage("locks must not be null");
    }
}
