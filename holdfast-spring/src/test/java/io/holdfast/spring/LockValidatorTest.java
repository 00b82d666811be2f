// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.Lock;
import io.holdfast.LockManager;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.Async;

class LockValidatorTest {

    @Test
    void start_withWrongAnnotations_tellsAllOfThemAtOnce() {
        assertThat(problems(Wrong.class, LazyWrong.class))
                .hasSize(6)
                .anyMatch(text -> text.startsWith("@Lock on Wrong.misspelt: {orderId} names no parameter"))
                .anyMatch(text -> text.startsWith("@Lock on Wrong.hidden: a private or static method"))
                .anyMatch(text -> text.startsWith("@Lock on Wrong.shared: a private or static method"))
                .anyMatch(text -> text.startsWith("@Lock on Wrong.future: a Future tells nobody"))
                .anyMatch(text -> text.startsWith("@Lock on Wrong.keyless: it has no key"))
                .anyMatch(text -> text.startsWith("@Lock on LazyWrong.zero: "));
    }

    @Test
    void start_withWhatNoProxyCanExtend_saysSo() {
        assertThat(problems(FinalMethod.class, FinalClass.class))
                .containsExactlyInAnyOrder(
                        "@Lock on FinalMethod.run: the method is final, so the proxy can't override it and would run it on "
                                + "itself: make it not final",
                        "@Lock on FinalClass.run: the class is final, so no proxy can extend it: make it not final, or let it "
                                + "implement an interface and set spring.aop.proxy-target-class=false");
    }

    @Test
    void start_withFinalClassBehindItsInterface_works() {
        try (Rig rig = Rig.start(FinalRunnable.class)) {
            rig.get(Runnable.class).run();

            assertThat(rig.events).containsExactly("locked", "unlocked");
        }
    }

    @Test
    void start_withLambdaAndForeignProxy_works() {
        Rig rig = Rig.of(Faces.class);
        AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(rig.context);
        try (rig) {
            rig.start();
            rig.context.getBean("lambda", Face.class).call();
            rig.context.getBean("proxy", Face.class).call();

            assertThat(rig.events).containsExactly("locked", "unlocked", "locked", "unlocked");
            assertThat(rig.log()).isEmpty();
        }
    }

    @Test
    void start_withClassFileWithoutParameterNames_saysSo(@TempDir Path folder) throws Exception {
        Path source = Files.writeString(
                folder.resolve("Nameless.java"),
                "public class Nameless { @io.holdfast.Lock(\"order:{id}\") public void pay(String id) {} }");
        ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), source.toString());
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            assertThat(problems(loader.loadClass("Nameless")))
                    .singleElement()
                    .asString()
                    .contains("compile with -parameters to use {id}");
        }
    }

    /** Spring's own packages are not searched, and this is none of them. */
    @Test
    void start_withApplicationInOneOfSpringsPackages_checksItToo(@TempDir Path folder) throws Exception {
        Path source = Files.writeString(
                folder.resolve("Owners.java"),
                "package org.springframework.samples.petclinic; public class Owners extends"
                        + " org.springframework.context.support.ApplicationObjectSupport {"
                        + " @io.holdfast.Lock(\"\") public void pay() {} }");
        ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            assertThat(problems(loader.loadClass("org.springframework.samples.petclinic.Owners")))
                    .singleElement()
                    .asString()
                    .startsWith("@Lock on Owners.pay: it has no key");
        }
    }

    @Test
    void start_withMethodThatNoInterfaceHas_saysSo() {
        assertThat(problems(Unreachable.class))
                .singleElement()
                .asString()
                .startsWith(
                        "@Lock on Unreachable.other: the bean is proxied by its interfaces, and none has this method");
    }

    @Test
    void start_withLockOnWhatIsNeverProxied_saysSo() {
        assertThat(problems(Processor.class))
                .containsExactly(
                        "@Lock on Processor.run: no proxy is made for a BeanPostProcessor: move the method to another bean");
    }

    @Test
    void start_withTypeNarrowerThanDeclared_checksWhatItTurnedOutToBe() {
        assertThat(problems(Declaring.class))
                .singleElement()
                .asString()
                .startsWith("@Lock on Wrong")
                .contains("names no parameter");
    }

    @Test
    void start_withoutLockManager_saysSo() {
        Rig rig = Rig.of(Right.class);
        rig.context.removeBeanDefinition("locks");
        assertThat(problems(rig)).singleElement().asString().contains("it needs one bean of type LockManager");
    }

    @Test
    void start_withTwoLockManagers_saysSo() {
        assertThat(problems(Right.class, SecondManager.class))
                .singleElement()
                .asString()
                .contains("LockManager", "locks");
    }

    @Test
    void start_withScopedAndLazyBeans_worksAndMakesNone() {
        try (Rig rig = Rig.start(Scoped.class)) {
            assertThat(rig.context.getBeanFactory().containsSingleton("lazy")).isFalse();
            rig.context.getBean("scoped", Right.class).run();

            assertThat(rig.events).containsExactly("locked", "unlocked");
            assertThat(rig.log()).isEmpty();
        }
    }

    @Test
    void start_withBeanThatHasNoProxy_warns() {
        Rig rig = Rig.of(Right.class);
        rig.context.addBeanFactoryPostProcessor(
                beans -> beans.registerSingleton("lockValidatorTest.Right", new Right()));
        try (rig) {
            rig.start();

            assertThat(rig.log()).contains("takes none of its locks ([Right.run])");
        }
    }

    private static List<String> problems(Class<?>... beans) {
        return problems(Rig.of(beans));
    }

    private static List<String> problems(Rig rig) {
        return catchThrowableOfType(InvalidLockAnnotationException.class, rig::start)
                .problems();
    }

    static class Right {
        @Lock("order")
        public void run() {}
    }

    static class Wrong {
        @Lock("order:{orderId}")
        public void misspelt(String orderid) {}

        @Lock("order")
        private void hidden() {}

        @Lock("order")
        public static void shared() {}

        @Async
        @Lock("order")
        public Future<String> future() {
            hidden();
            return null;
        }

        @Lock
        public void keyless() {}
    }

    @Lazy
    static class LazyWrong {
        @Lock(key = "order", ttlMs = 0)
        public void zero() {}
    }

    static class FinalMethod {
        @Lock("order")
        public final void run() {}
    }

    static final class FinalClass {
        @Lock("order")
        public void run() {}
    }

    static final class FinalRunnable implements Runnable {
        @Override
        @Lock("order")
        public void run() {}
    }

    interface Face {
        @Lock("order")
        void call();
    }

    static class Faces {
        @Bean
        Face lambda() {
            return () -> {};
        }

        @Bean
        Face proxy() {
            return (Face) Proxy.newProxyInstance(
                    Face.class.getClassLoader(), new Class<?>[] {Face.class}, (proxy, method, arguments) -> null);
        }
    }

    static class Unreachable implements Runnable, Consumer<String> {
        @Override
        public void run() {}

        @Override
        @Lock("order:{other}")
        public void accept(String other) {}

        @Lock("order")
        public void other() {}
    }

    static class Processor implements BeanPostProcessor {
        @Lock("order")
        public void run() {}
    }

    static class Declaring {
        @Bean
        Object declared() {
            return new WrongInside();
        }
    }

    static class WrongInside {
        @Lock("order:{id}")
        public void run() {}
    }

    static class SecondManager {
        @Bean
        LockManager second(Rig rig) {
            return rig.memory.anotherProcess();
        }

        @Bean
        Holdfast third(Rig rig) {
            return rig.memory.anotherProcess();
        }
    }

    static class Scoped {
        @Bean
        @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Right scoped() {
            return new Right();
        }

        @Bean
        @Lazy
        Right lazy() {
            return new Right();
        }
    }
}
