// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The smallest permissions that work on every server, and what is said when one of them is missing. */
public abstract class AclContract extends WaitingContract {
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
            "+zrevrange",
            "+zpopmin",
            "+exists",
            "+publish",
            "+subscribe",
            "&holdfast:ch:*");
    /** More for fair locks. */
    private static final List<String> FAIR = List.of("+zrange");
    /** So that waiters are woken with Lettuce too: where all poll, nobody stands in the queue. */
    private static final List<String> HEARING = List.of("+ping");
    /** All that a {@code FencedStore} needs. */
    private static final List<String> STORE = List.of("+evalsha", "+eval", "+hget", "+hset", "~row:*");
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

    private static void fair(LockOptions.Builder options) {
        options.ttl(TTL).fair(true);
    }

    /** Taken at once, and waited for by two of one process, who are served by one grant. */
    private void fairLock(Holdfast process) {
        Lease lease = process.lock(key, AclContract::fair).tryAcquire().orElseThrow();
        CompletableFuture<Lease> first = queue(process, AclContract::fair);
        CompletableFuture<Lease> second = queue(process, AclContract::fair);
        assertThat(lease.release()).isTrue();
        assertThat(granted(first).release()).isTrue();
        assertThat(granted(second).release()).isTrue();
        assertNothingLeft();
    }

    private void fencedStore(Holdfast process) {
        raw().call("SCRIPT", "FLUSH");
        FencedStore store = process.fencedStore();
        String row = "row:" + key;
        assertThat(store.get(row)).isEmpty();
        assertThat(store.set(row, "new", 2)).isTrue();
        assertThat(store.set(row, "stale", 1)).isFalse();
        assertThat(store.get(row)).contains("new");
        backdoor.delete(row);
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
    void fairLock_worksWithOneMore() {
        raw().call("SCRIPT", "FLUSH");
        fairLock(listening(as(sum(PLAIN, FAIR, HEARING))));
        fairLock(listening(as(sum(PLAIN, FAIR, OWNER, INSPECT, HEARING))));
    }

    @Test
    void fairLock_withoutIt_isAnErrorWhetherItIsFreeOrPassedOn() {
        Holdfast process = listening(as(sum(PLAIN, HEARING)));
        assertNotAllowed(() -> process.lock(key, AclContract::fair).tryAcquire());

        Lease holder = hold(locks);
        CompletableFuture<Lease> first = queue(process, AclContract::fair);
        CompletableFuture<Lease> second = queue(process, AclContract::fair);
        assertThat(holder.release()).isTrue();
        assertNotAllowed(() -> granted(first));
        await().until(second::isDone); // refused too, or granted: there is nobody behind it to look for
    }

    @Test
    void lockHandedOver_withoutThePermissionsOfFairLocks_stillArrivesByWordAlone() {
        Lease holder = hold(listening(as(sum(PLAIN, HEARING))));
        CompletableFuture<Lease> waiter =
                queue(listener(), options -> options.ttl(TTL).renew(true));
        arrivedJustNow(queued().get(0));
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isTrue();

            granted(waiter);

            assertThat(verbs(monitor)).containsExactly("release");
        }
    }

    @Test
    void fencedStore_worksWithItsOwnPermissionsAlone_andWithoutOneOfThemIsAnError() {
        fencedStore(as(STORE));
        fencedStore(as(sum(PLAIN, FAIR, OWNER, INSPECT, STORE)));
        for (String missing : STORE) {
            List<String> rest = sum(PLAIN, STORE);
            rest.removeIf(missing::equals);
            assertNotAllowed(() -> fencedStore(as(rest)));
            backdoor.delete("row:" + key);
        }
    }

    @Test
    void ownersLockAndInspect_withoutOneOfTheirOwn_areErrors() {
        for (String missing : OWNER) {
            Holdfast process = as(sum(
                    PLAIN, OWNER.stream().filter(word -> !word.equals(missing)).toList()));
            assertNotAllowed(() -> ownersLock(process));
            backdoor.keysContaining(key).forEach(backdoor::delete);
        }
        Lease held = locks.lock(key, options -> options.owner("o")).acquire();
        for (String missing : INSPECT) {
            Holdfast process = as(sum(
                    PLAIN,
                    INSPECT.stream().filter(word -> !word.equals(missing)).toList()));
            assertNotAllowed(() -> process.inspect(key));
        }
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

    private static void assertNotAllowed(ThrowingCallable call) {
        assertThatThrownBy(call).satisfies(thrown -> {
            Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            assertThat(failure)
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("NOPERM")
                    .hasMessageContaining("docs/troubleshooting.md");
        });
    }

    @SafeVarargs
    private static List<String> sum(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
