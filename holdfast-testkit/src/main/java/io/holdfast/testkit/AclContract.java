// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.spi.RedisAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The smallest permissions that work on every server, and what is said when one of them is missing. */
public abstract class AclContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String PASSWORD = "acl-s3cret";
    /** For a plain lock: fenced or not, waited for, renewed, released, abandoned. */
    private static final List<String> PLAIN = List.of(
            "+evalsha",
            "+eval",
            "+set",
            "+get",
            "+del",
            "+pttl",
            "+pexpire",
            "+time",
            "+zadd",
            "+zrem",
            "+zscore",
            "+zrevrange",
            "+zpopmin",
            "+exists",
            "+publish",
            "+subscribe",
            "&holdfast:ch:*");
    /** More for owner ids. */
    private static final List<String> OWNER = List.of("+hset", "+hget", "+zrange", "+zscore", "+zremrangebyscore");
    /** More for {@code inspect}. */
    private static final List<String> INSPECT = List.of("+hget", "+zrange", "+zcount");

    private final List<String> users = new ArrayList<>();

    @AfterEach
    void deleteUsers() {
        users.forEach(user -> raw().call("ACL", "DELUSER", user));
    }

    private Holdfast as(List<String> permissions) {
        String user = "u" + users.size() + "-" + key;
        users.add(user);
        List<String> words = new ArrayList<>(List.of(
                "ACL", "SETUSER", user, "reset", "on", ">" + PASSWORD, "resetchannels", "~holdfast:*", "-@all"));
        words.addAll(permissions);
        raw().call(words.toArray(String[]::new));
        RedisAddress at = redis().address();
        return at(new RedisAddress(at.host(), at.port(), user, PASSWORD, 0, false, at.timeout()));
    }

    private void plainLock(Holdfast process) {
        raw().call("SCRIPT", "FLUSH");
        Lease lease = process.tryLock(key, TTL).orElseThrow();
        assertThat(process.tryLock(key, TTL, ms(300))).isEmpty();
        assertThat(lease.renew(TTL)).isTrue();
        assertThat(lease.release()).isTrue();
        await().until(() -> !backdoor.exists(lockKey())); // the one that gave up may have been passed it for a moment
        assertThat(process.lock(key, options -> options.fencing(false))
                        .acquire()
                        .release())
                .isTrue();
        assertThat(process.tryLock(key, TTL).orElseThrow().release())
                .as("a second release")
                .isTrue();
    }

    private void ownersLock(Holdfast process) {
        Lease first = process.lock(key, options -> options.owner("o")).acquire();
        Lease second = process.lock(key, options -> options.owner("o")).acquire();
        assertThat(first.renew(TTL)).isTrue();
        assertThat(first.release()).isTrue();
        assertThat(second.release()).isTrue();
    }

    @Test
    void plainLock_worksWithTheFewestPermissions() {
        plainLock(as(PLAIN));
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void ownersLockAndInspect_workWithAFewMore() {
        ownersLock(as(sum(PLAIN, OWNER)));
        assertThat(as(sum(PLAIN, INSPECT)).inspect(key).isHeld()).isFalse();
        Lease held =
                as(sum(PLAIN, OWNER)).lock(key, options -> options.owner("o")).acquire();
        assertThat(as(sum(PLAIN, INSPECT)).inspect(key).isHeld()).isTrue();
        assertThat(held.release()).isTrue();
    }

    @Test
    void missingPermission_isAnErrorThatNamesItAndWhatToDo() {
        for (String missing : List.of("+evalsha", "+get", "+set", "+time")) {
            List<String> rest = new ArrayList<>(PLAIN);
            rest.remove(missing);
            refused(as(rest));
        }
        Holdfast wrongKeys = as(PLAIN);
        raw().call("ACL", "SETUSER", users.get(users.size() - 1), "resetkeys", "~elsewhere:*");
        refused(wrongKeys);
    }

    @Test
    void missingPermission_ofRenewAndRelease_isAnErrorThatNamesIt() {
        List<String> rest = new ArrayList<>(PLAIN);
        rest.removeAll(List.of("+del"));
        Lease lease = as(rest).tryLock(key, TTL).orElseThrow();
        assertThatThrownBy(lease::release)
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("NOPERM");
        assertThat(backdoor.exists(lockKey())).isTrue();
        backdoor.delete(lockKey());

        rest = new ArrayList<>(PLAIN);
        rest.removeAll(List.of("+pexpire"));
        Lease unrenewable = as(rest).lock(key, options -> options.ttl(ms(5_000)).maxTtl(TTL))
                .acquire();
        assertThatThrownBy(() -> unrenewable.renew(TTL))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("NOPERM");
        assertThat(unrenewable.isHeld()).isTrue();
    }

    private void refused(Holdfast process) {
        assertThatThrownBy(() -> process.tryLock(key, TTL, Duration.ofSeconds(25)))
                .isInstanceOfSatisfying(LockBackendException.class, failure -> {
                    assertThat(failure).hasMessageContaining("NOPERM").hasMessageContaining("docs/troubleshooting.md");
                    assertThat(failure.isUnavailable()).isFalse();
                    assertThat(failure.elapsed()).isLessThan(Duration.ofSeconds(15));
                    for (Throwable t = failure; t != null; t = t.getCause()) {
                        assertThat(String.valueOf(t.getMessage())).doesNotContain("s3cret");
                    }
                });
    }

    private static List<String> sum(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }
}
