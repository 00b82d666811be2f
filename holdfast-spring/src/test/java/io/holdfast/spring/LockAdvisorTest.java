// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockBackendException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.Locks;
import io.holdfast.testkit.Verb;
import io.holdfast.weaving.Woven;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;

class LockAdvisorTest {

    @Test
    void call_ofBeanWithoutInterface_runsUnderLock() {
        try (Rig rig = Rig.start(Orders.class)) {
            Orders orders = rig.get(Orders.class);

            assertThat(AopUtils.isCglibProxy(orders)).isTrue();
            assertThat(orders.pay("42", null)).isEqualTo("order:42 held");
            assertThat(rig.isHeld("order:42")).isFalse();
            assertThat(rig.events).containsExactly("locked", "unlocked");
        }
    }

    @Test
    void call_ofBeanProxiedByInterface_runsUnderLock() {
        try (Rig rig = Rig.start(OnInterface.class, OnImplementation.class)) {
            Shipping onInterface = rig.context.getBean("onInterface", Shipping.class);
            Shipping onImplementation = rig.context.getBean("onImplementation", Shipping.class);

            assertThat(AopUtils.isJdkDynamicProxy(onInterface)).isTrue();
            assertThat(onInterface.ship("1")).isEqualTo("shipping:1");
            assertThat(onImplementation.ship("2")).isEqualTo("ours:2");
        }
    }

    @Test
    void call_withLockOnInterfaceOfInterface_runsUnderLock() {
        try (Rig rig = Rig.start(OnInterfaceOfInterface.class)) {
            assertThat(rig.get(ExpressShipping.class).ship("1")).isEqualTo("shipping:1");
        }
    }

    @Test
    void call_ofClassThatTakesItsLocksItself_leavesThemToIt() {
        try (Rig rig = Rig.start(Generated.class)) {
            assertThat(AopUtils.isAopProxy(rig.get(Generated.class))).isFalse();
            assertThat(rig.log()).isEmpty();
        }
    }

    @Test
    void call_whenBusy_answersAsAnnotated() {
        try (Rig rig = Rig.start(Orders.class);
                Lease other = rig.memory.locks().lock("order:42").acquire()) {
            Orders orders = rig.get(Orders.class);

            assertThatThrownBy(() -> orders.pay("42", null)).isInstanceOf(LockNotAcquiredException.class);
            assertThat(orders.tryPay("42")).isEmpty();
            assertThat(orders.payOrElse("42")).isEqualTo("busy: order:42");
        }
    }

    @Test
    void release_thatFails_isToldAndLeavesTheResult() {
        try (Rig rig = Rig.start(Orders.class)) {
            Orders orders = rig.get(Orders.class);
            rig.memory.failBackend(Verb.RELEASE);

            assertThat(orders.pay("42", null)).isEqualTo("order:42 held");
            assertThat(orders.payLater("43", CompletableFuture.completedFuture("done")))
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo("done");

            assertThat(rig.events).containsExactly("locked", "not unlocked", "locked", "not unlocked");
        }
    }

    @Test
    void release_thatFails_isAttachedToTheMethodsOwnFailure() {
        try (Rig rig = Rig.start(Orders.class)) {
            IllegalStateException failure = new IllegalStateException("declined");
            rig.memory.failBackend(Verb.RELEASE);

            assertThatThrownBy(() -> rig.get(Orders.class).decline("42", failure))
                    .isSameAs(failure);
            assertThat(failure.getSuppressed())
                    .hasOnlyElementsOfType(LockBackendException.class)
                    .hasSize(1);
        }
    }

    @Test
    void stage_untilComplete_holdsLock() {
        try (Rig rig = Rig.start(Orders.class)) {
            CompletableFuture<String> work = new CompletableFuture<>();

            CompletableFuture<String> result = rig.get(Orders.class).payLater("42", work);

            assertThat(rig.isHeld("order:42")).isTrue();
            work.complete("done");
            assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
            assertThat(rig.isHeld("order:42")).isFalse();
        }
    }

    @Test
    void start_withPostProcessorsThatComeLate_keepsNoBeanFromThem() {
        try (Rig rig = Rig.start(LockAdviceSettings.defaults(), Orders.class, LatePostProcessor.class)) {
            assertThat(rig.log()).doesNotContain("not eligible for getting processed");
        }
    }

    @Test
    void start_withoutAnyLock_leavesLazyManagerAlone() {
        Rig rig = Rig.of();
        rig.context.getBeanDefinition("locks").setLazyInit(true);
        try (rig) {
            rig.start();

            assertThat(rig.context.getBeanFactory().containsSingleton("locks")).isFalse();
        }
    }

    static class Orders {
        @Lock("order:{id}")
        public String pay(String id, Lease lease) {
            return Locks.current().equals(lease) && lease.isHeld() ? lease.key() + " held" : "not held";
        }

        @Lock("order:{id}")
        public void decline(String id, RuntimeException reason) {
            throw reason;
        }

        @Lock(key = "order:{id}", onBusy = BusyPolicy.SKIP)
        public Optional<String> tryPay(String id) {
            return Optional.of("paid");
        }

        @Lock(key = "order:{id}", onBusy = BusyPolicy.FALLBACK, fallback = "busy")
        public String payOrElse(String id) {
            return "paid";
        }

        String busy(String id, LockNotAcquiredException e) {
            return "busy: " + e.key();
        }

        @Lock("order:{id}")
        public CompletableFuture<String> payLater(String id, CompletableFuture<String> work) {
            return work;
        }
    }

    static class Generated extends Orders implements Woven {}

    interface Shipping {
        @Lock("shipping:{parcel}")
        String ship(String parcel);
    }

    static class OnInterface {
        @Bean
        Shipping onInterface() {
            return new PlainShip();
        }

        static class PlainShip implements Shipping {
            @Override
            public String ship(String id) {
                return Locks.current().key();
            }
        }
    }

    interface ExpressShipping extends Shipping {}

    static class OnInterfaceOfInterface implements ExpressShipping {
        @Override
        public String ship(String id) {
            return Locks.current().key();
        }
    }

    static class OnImplementation {
        @Bean
        Shipping onImplementation() {
            return new LockedShip();
        }

        static class LockedShip implements Shipping {
            @Override
            @Lock("ours:{id}")
            public String ship(String id) {
                return Locks.current().key();
            }
        }
    }

    /** Has no order, so it is made when proxies are made already, and the advisor is asked about it. */
    static class LatePostProcessor {
        @Bean
        static BeanPostProcessor late() {
            return new BeanPostProcessor() {};
        }
    }
}
