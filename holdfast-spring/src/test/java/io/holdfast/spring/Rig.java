// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.testkit.InMemoryLocks;
import io.holdfast.testkit.TestClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** An application with locks in memory, what happened in it one after the other, and what it logged. */
final class Rig implements AutoCloseable {
    final List<String> events = new CopyOnWriteArrayList<>();
    final InMemoryLocks memory = InMemoryLocks.create(TestClock.frozen(), builder -> builder.listener(new Recorder()));
    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final PrintStream console = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /** Not started yet. */
    static Rig of(Class<?>... configuration) {
        Rig rig = new Rig();
        Stream.of(configuration).forEach(rig.context::register);
        rig.context.register(Locking.class); // last, so that the lock is outside of others by its order only
        rig.context.registerBean("rig", Rig.class, () -> rig, definition -> definition.setDestroyMethodName(""));
        rig.context.registerBean("locks", Holdfast.class, rig.memory::locks);
        return rig;
    }

    /** With the settings, and started. */
    static Rig start(LockAdviceSettings settings, Class<?>... configuration) {
        Rig rig = of(configuration);
        rig.context.registerBean(
                "settings",
                LockAdviceSettings.class,
                () -> settings,
                definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
        return rig.start();
    }

    static Rig start(Class<?>... configuration) {
        return of(configuration).start();
    }

    Rig start() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            context.refresh();
        } catch (Throwable e) {
            close();
            throw e;
        }
        return this;
    }

    <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    boolean isHeld(String key) {
        return memory.locks().inspect(key).isHeld();
    }

    String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(console);
        context.close();
        memory.close();
    }

    private final class Recorder implements LockListener {
        @Override
        public void acquired(LockEvent event) {
            events.add("locked");
        }

        @Override
        public void released(LockEvent event) {
            events.add("unlocked");
        }

        @Override
        public void releaseFailed(LockEvent event) {
            events.add("not unlocked");
        }
    }

    @EnableLocks
    static class Locking {}
}
