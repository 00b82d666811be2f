// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes over the wire: how many commands, and which. */
public abstract class CommandContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    /** The server's own compare-and-delete, if it has one; else the script. */
    private String deleteVerb() {
        for (String name : new String[] {"DELEX", "DELIFEQ"}) {
            if (raw().call("COMMAND", "INFO", name) instanceof List<?> found
                    && found.get(0) instanceof List<?> details
                    && !details.isEmpty()) {
                return name;
            }
        }
        return "release";
    }

    /** The first release asks what the server can do, which may take effect only for the ones after it. */
    private void warmUp() {
        TamperingConnector watch = network();
        try (Monitor monitor = monitor()) {
            await().until(() -> {
                locks.withLock(key, TTL, () -> {});
                return verbs(monitor).contains(deleteVerb());
            });
        }
        watch.close();
    }

    private List<String> seen(Monitor monitor, int count) {
        await().until(() -> verbs(monitor).size() >= count);
        raw().call("PING", "end-of-" + key);
        await().until(() -> verbs(monitor).contains("PING"));
        return verbs(monitor).stream().filter(verb -> !verb.equals("PING")).toList();
    }

    @Test
    void version_thatHasIt_usesTheServersOwnDelete() {
        String version = target().version().shared().version();
        String expected = version.matches("redis (8\\.([4-9]|\\d\\d)|9|\\d\\d).*")
                ? "DELEX"
                : version.matches("valkey (9|\\d\\d).*") ? "DELIFEQ" : "release";
        assertThat(deleteVerb()).as(version).isEqualTo(expected);
        warmUp();
    }

    @Test
    void uncontended_costsTwoCommands() {
        warmUp();
        try (Monitor monitor = monitor()) {
            Lease lease = locks.tryLock(key, TTL).orElseThrow();
            lease.isHeld();
            lease.ensureHeld();
            lease.remaining();
            lease.fencingToken();
            assertThat(lease.release()).isTrue();

            assertThat(seen(monitor, 2)).containsExactly("acquire", deleteVerb());
        }
    }

    @Test
    void uncontended_withoutFencing_costsTheBareCommandAndARelease() {
        warmUp();
        try (Monitor monitor = monitor()) {
            assertThat(locks.lock(key, options -> options.fencing(false))
                            .acquire()
                            .release())
                    .isTrue();
            assertThat(seen(monitor, 2)).containsExactly("SET", deleteVerb());
        }
    }

    @Test
    void nativeDelete_ofAKeyOfAnotherType_isUsedAgainAfterwards() {
        warmUp();
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        raw().call("HSET", lockKey(), "a", "b");
        assertThat(lease.release()).isFalse();
        backdoor.delete(lockKey());
        try (Monitor monitor = monitor()) {
            locks.withLock(key, TTL, () -> {});
            assertThat(seen(monitor, 2)).containsExactly("acquire", deleteVerb());
        }
    }

    @Test
    void scriptFlush_isInvisible() {
        Lease held = locks.tryLock(key, TTL).orElseThrow();
        Lease owned = locks.lock(key + ":o", options -> options.owner("o")).acquire();
        raw().call("SCRIPT", "FLUSH");
        assertThat(held.renew(TTL)).isTrue();
        assertThat(owned.renew(TTL)).isTrue();
        raw().call("SCRIPT", "FLUSH");
        assertThat(locks.tryLock(key, TTL, ms(300))).isEmpty();
        raw().call("SCRIPT", "FLUSH");
        assertThat(held.release()).isTrue();
        assertThat(owned.release()).isTrue();
        raw().call("SCRIPT", "FLUSH");
        await().until(() -> !locks.inspect(key).isHeld()); // the one that gave up may have been passed it for a moment
        assertThat(locks.tryLock(key, TTL)).isPresent();
    }
}
