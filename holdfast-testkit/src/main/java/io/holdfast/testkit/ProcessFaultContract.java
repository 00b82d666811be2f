// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Root of the suites whose holder is a JVM of its own. */
@NullUnmarked
public abstract class ProcessFaultContract extends WaitingContract {
    /** The holder's, renewed; long enough for a JVM that has only just started, on a busy machine. */
    protected static final Duration LEASE = ms(2_500);

    /** To be killed or stopped. */
    HolderProcess holder;

    @BeforeEach
    void startHolder() {
        holder = HolderProcess.start(redis().server().uri());
    }

    @AfterEach
    void endHolder() {
        holder.close();
    }

    /** Where processes listen now. */
    protected final Set<String> channels() {
        Set<String> names = new TreeSet<>();
        List<?> found = (List<?>) Objects.requireNonNull(raw().call("PUBSUB", "CHANNELS", "holdfast:ch:*"));
        found.forEach(name -> names.add(String.valueOf(name)));
        return names;
    }
}
