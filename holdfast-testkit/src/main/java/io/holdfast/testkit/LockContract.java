// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Root of the contract suites: gives each test a Holdfast of its own, keys nobody else uses, and a look at the store. Every
 * connector passes all of them, on every server at hand (the slow ones: where some are named). The in-memory store passes those that extend
 * this and neither {@link ProtocolContract} nor {@link ServerContract}: they look at what only a real server has.
 */
@NullUnmarked
public abstract class LockContract {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final List<Holdfast> opened = new ArrayList<>();
    private ContractFixture fixture;

    /** The process under test. */
    protected Holdfast locks;
    /** The store, past the client. */
    protected Backdoor backdoor;
    /** A business key of this test alone. */
    protected String key;

    /** The thing under test, new for each test. */
    protected abstract ContractFixture newFixture();

    @BeforeEach
    void openFixture() {
        fixture = newFixture();
        backdoor = fixture.backdoor();
        key = "order:" + NUMBER.incrementAndGet() + ":" + Long.toString(System.nanoTime(), 36);
        locks = another();
    }

    @AfterEach
    void closeFixture() {
        opened.forEach(Holdfast::close);
        fixture.close();
    }

    /** The fixture of this test. */
    protected final ContractFixture fixture() {
        return fixture;
    }

    /** One more process on the same store. */
    protected final Holdfast another() {
        return another(builder -> {});
    }

    /** One more process with settings of its own; closed after the test without waiting for leases it still holds. */
    protected final Holdfast another(Consumer<Holdfast.Builder> settings) {
        Holdfast.Builder builder = fixture.holdfast().closeWait(Duration.ZERO);
        settings.accept(builder);
        return open(builder);
    }

    /** Builds, and closes after the test. */
    protected final Holdfast open(Holdfast.Builder builder) {
        Holdfast holdfast = builder.build();
        opened.add(holdfast);
        return holdfast;
    }

    /** Has talked to the store once, so that a short wait is not spent on connecting. */
    protected final Holdfast ready(Holdfast process) {
        process.inspect(key);
        return process;
    }

    /** Waits for what must come to pass soon. */
    protected static ConditionFactory eventually() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(10));
    }

    /** Lets real time go by, where only time can show that nothing happens. */
    protected static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    /** The Redis key of this test's lock under the default name space. */
    protected final String lockKey() {
        return "holdfast:lock:" + key;
    }
}
