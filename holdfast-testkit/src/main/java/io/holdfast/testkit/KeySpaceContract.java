// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which keys a lock uses. */
public abstract class KeySpaceContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void prefix_byDefault_isHoldfast() {
        assertThat(keyOf(builder -> {})).isEqualTo("holdfast:lock:" + key);
    }

    @Test
    void prefix_set_comesFirst() {
        assertThat(keyOf(builder -> builder.keyPrefix("neton"))).isEqualTo("neton:lock:" + key);
    }

    @Test
    void prefix_empty_isLeftOutWithItsColon() {
        assertThat(keyOf(builder -> builder.keyPrefix(""))).isEqualTo("lock:" + key);
    }

    @Test
    void segment_setAndPrefixEmpty_givesThePrefixOfAnotherLibrary() {
        assertThat(keyOf(builder -> builder.keyPrefix("").lockSegment("distributed_lock")))
                .isEqualTo("distributed_lock:" + key);
    }

    @Test
    void exactKeys_useTheBusinessKeyAsItIs() {
        assertThat(keyOf(Holdfast.Builder::exactKeys)).isEqualTo(key);
    }

    @Test
    void exactKeys_excludeAnotherLibrarysLock() {
        Holdfast exact = another(Holdfast.Builder::exactKeys);
        backdoor.set(key, "a redis-py token", 10_000);

        assertThat(exact.tryLock(key, TTL)).isEmpty();
        assertThat(backdoor.get(key)).isEqualTo("a redis-py token");
        backdoor.delete(key);
        assertThat(exact.tryLock(key, TTL)).isPresent();
    }

    @Test
    void locks_ofDifferentPrefixes_doNotExcludeEachOther() {
        assertThat(another(builder -> builder.keyPrefix("a")).tryLock(key, TTL)).isPresent();
        assertThat(another(builder -> builder.keyPrefix("b")).tryLock(key, TTL)).isPresent();
        assertThat(another(Holdfast.Builder::exactKeys).tryLock(key, TTL)).isPresent();
    }

    @Test
    void companionKeys_ofAWaitedForAndOwnedLock_areNoBusinessKeysLock() throws Exception {
        Lease held = locks.lock(key, options -> options.owner("me").ttl(TTL)).acquire();
        Worker<Optional<Lease>> waiter = Worker.start(() -> another().tryLock(key, TTL, Duration.ofSeconds(15)));
        eventually().until(() -> !locks.inspect(key).waiting().isEmpty());

        // Whatever a companion is called, a lock named like it, or like its end, is a lock of its own.
        for (String found : backdoor.keysContaining(key)) {
            assertThat(found).startsWith("holdfast:");
            for (String name : new String[] {found, found.substring("holdfast:".length())}) {
                Lease lease = locks.tryLock(name, TTL).orElseThrow();
                assertThat(lease.release()).isTrue();
            }
        }
        assertThat(held.release()).isTrue();
        assertThat(waiter.result()).isPresent();
    }

    @Test
    void lockKey_thatWouldBeACompanionOfHoldfasts_isRefused() {
        Holdfast bare = another(builder -> builder.lockSegment(""));
        Holdfast exact = another(Holdfast.Builder::exactKeys);

        for (String own : new String[] {"fence", "queue:a", "owner:a", "holds:a"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bare.lock(own))
                    .withMessageContaining("holdfast:" + own);
            assertThatIllegalArgumentException().isThrownBy(() -> exact.lock("holdfast:" + own));
        }
        assertThat(bare.lock("fences").name()).isEqualTo("fences");
    }

    private String keyOf(Consumer<Holdfast.Builder> settings) {
        Lease lease = another(settings).tryLock(key, TTL).orElseThrow();
        assertThat(lease.key()).as("the lease speaks of the business key").isEqualTo(key);
        return backdoor.keysContaining(key).stream()
                .filter(found -> lease.token().equals(backdoor.get(found)))
                .findFirst()
                .orElseThrow();
    }
}
