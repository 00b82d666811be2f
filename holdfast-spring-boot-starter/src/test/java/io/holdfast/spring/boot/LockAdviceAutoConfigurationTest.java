// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lock;
import io.holdfast.LockManager;
import io.holdfast.spring.InTransaction;
import io.holdfast.spring.InvalidLockAnnotationException;
import io.holdfast.spring.LockAdviceSettings;
import io.holdfast.spring.LockAdvisor;
import io.holdfast.testkit.InMemoryLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@ExtendWith(OutputCaptureExtension.class)
class LockAdviceAutoConfigurationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAdviceAutoConfiguration.class))
            .withUserConfiguration(InMemory.class);

    @Test
    void application_withLock_takesItThroughClassProxy() {
        application.withBean(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(AopUtils.isCglibProxy(orders)).isTrue();
            assertThat(orders.pay(context.getBean(LockManager.class))).isTrue();
        });
    }

    @Test
    void application_withoutAnythingElseForProxies_makesThemByInterface() {
        application
                .withPropertyValues("spring.aop.auto=false")
                .withBean(Orders.class)
                .run(context -> {
                    Payable orders = context.getBean(Payable.class);
                    assertThat(AopUtils.isJdkDynamicProxy(orders)).isTrue();
                    assertThat(orders.pay(context.getBean(LockManager.class))).isTrue();
                });
    }

    @Test
    void properties_reachTheAdvisor() {
        application
                .withPropertyValues(
                        "holdfast.advice.order=7",
                        "holdfast.advice.in-transaction=release-after-completion",
                        "holdfast.advice.warn-of-self-invocation=false")
                .run(context -> {
                    assertThat(context.getBean(LockAdvisor.class).getOrder()).isEqualTo(7);
                    assertThat(context.getBean(LockAdviceSettings.class))
                            .isEqualTo(new LockAdviceSettings(7, InTransaction.RELEASE_AFTER_COMPLETION, false));
                });
    }

    @Test
    void properties_none_areTheDefaults() {
        application.run(context ->
                assertThat(context.getBean(LockAdviceSettings.class)).isEqualTo(LockAdviceSettings.defaults()));
    }

    @Test
    void application_withAdviceOff_takesNoLock() {
        application
                .withPropertyValues("holdfast.advice.enabled=false")
                .withBean(Orders.class)
                .run(context -> assertThat(context.getBean(Orders.class).pay(context.getBean(LockManager.class)))
                        .isFalse());
    }

    @Test
    void application_thatIsLazy_isCheckedAllTheSame() {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Wrong.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockAnnotationException.class));
    }

    @Test
    void start_keepsNoBeanFromPostProcessors(CapturedOutput output) {
        application
                .withPropertyValues("holdfast.advice.order=7")
                .withBean(Orders.class)
                .withUserConfiguration(LatePostProcessor.class)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("not eligible");
    }

    @Test
    void start_withWrongAnnotation_saysWhatToDo(CapturedOutput output) {
        SpringApplication wrong = new SpringApplication(WrongApplication.class);
        try {
            wrong.run("--spring.main.banner-mode=off");
        } catch (InvalidLockAnnotationException e) {
            assertThat(e.problems()).hasSize(2);
        }

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("    - @Lock on Wrong.pay: {id} names no parameter; there are none")
                .contains("    - @Lock on Wrong.refund: it has no key")
                .contains("Change each of them as its line says");
    }

    static class InMemory {
        @Bean
        InMemoryLocks memory() {
            return InMemoryLocks.create();
        }

        @Bean
        LockManager locks(InMemoryLocks memory) {
            return memory.locks();
        }
    }

    interface Payable {
        boolean pay(LockManager locks);
    }

    static class Orders implements Payable {
        @Override
        @Lock("order")
        public boolean pay(LockManager locks) {
            return locks.inspect("order").isHeld();
        }
    }

    static class Wrong {
        @Lock("order:{id}")
        public void pay() {}

        @Lock
        public void refund() {}
    }

    static class LatePostProcessor {
        @Bean
        static BeanPostProcessor late() {
            return new BeanPostProcessor() {};
        }
    }

    @EnableAutoConfiguration
    @Import({InMemory.class, Wrong.class})
    static class WrongApplication {}
}
