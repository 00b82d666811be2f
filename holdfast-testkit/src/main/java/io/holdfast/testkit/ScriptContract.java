// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The scripts themselves, called by hand: mine, free, another's; and release that is safe to repeat. */
public abstract class ScriptContract extends ServerContract {
    private static final String MINE = token('a');
    private static final String OTHER = token('b');

    @Test
    void acquire_free_takesItForTheTtl() {
        assertThat(acquire(MINE, 5_000)).startsWith("granted");

        assertThat(backdoor.get(lockKey())).startsWith(MINE + "#");
        assertThat(backdoor.pttl(lockKey())).isBetween(1_000L, 5_000L);
    }

    @Test
    void acquire_mine_extendsAndIsTheSameGrant() {
        List<String> first = acquire(MINE, 2_000);

        assertThat(acquire(MINE, 60_000)).isEqualTo(first);
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(10_000);
    }

    @Test
    void acquire_mineByALateCopyWithAShorterTtl_neverShortens() {
        List<String> first = acquire(MINE, 60_000);

        assertThat(acquire(MINE, 1_000)).isEqualTo(first);
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(10_000);
    }

    @Test
    void acquire_others_saysWhoseAndForHowLong() {
        acquire(OTHER, 5_000);
        String value = backdoor.get(lockKey());

        List<String> reply = acquire(MINE, 60_000);

        assertThat(reply).startsWith("contended", String.valueOf(value));
        assertThat(Long.parseLong(reply.get(2))).isBetween(1L, 5_000L);
        assertThat(backdoor.get(lockKey())).isEqualTo(value);
        assertThat(backdoor.pttl(lockKey())).isLessThanOrEqualTo(5_000);
    }

    @Test
    void acquire_valueThatOnlyStartsLikeMine_isAnothers() {
        backdoor.set(lockKey(), MINE + "x", 5_000);

        assertThat(acquire(MINE, 5_000)).startsWith("contended");
    }

    @Test
    void acquire_keyOfAnotherType_isIncompatibleAndBusy() {
        redis().raw().call("HSET", lockKey(), "redisson", "1");

        assertThat(acquire(MINE, 5_000)).startsWith("incompatible");
        assertThat(locks.tryLock(key, Duration.ofSeconds(5))).isEmpty();
        assertThat(locks.inspect(key).isHeld()).isTrue();
        assertThat(redis().raw().call("HGET", lockKey(), "redisson")).isEqualTo("1");
    }

    @Test
    void release_mine_deletesOnceAndIsSafeToRepeat() {
        acquire(MINE, 5_000);
        String value = String.valueOf(backdoor.get(lockKey()));

        assertThat(run("release", List.of(lockKey()), value)).isEqualTo(1L);
        assertThat(run("release", List.of(lockKey()), value)).isEqualTo(0L);
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void release_others_doesNotDelete() {
        acquire(OTHER, 5_000);

        assertThat(run("release", List.of(lockKey()), MINE)).isEqualTo(0L);
        assertThat(run("release", List.of(lockKey()), OTHER))
                .as("not the whole value")
                .isEqualTo(0L);
        assertThat(backdoor.exists(lockKey())).isTrue();
    }

    @Test
    void renew_others_doesNotExtend() {
        acquire(OTHER, 5_000);

        assertThat(run("renew", List.of(lockKey()), MINE, "60000")).isEqualTo(List.of("gone"));
        assertThat(backdoor.pttl(lockKey())).isLessThanOrEqualTo(5_000);
    }

    @Test
    void abandon_freesMineAndLeavesOthers() {
        List<String> keys = List.of(lockKey(), "holdfast:fence", "holdfast:queue:" + lockKey());
        acquire(OTHER, 5_000);
        assertThat(run("abandon", keys, MINE)).isEqualTo(0L);
        assertThat(backdoor.exists(lockKey())).isTrue();

        assertThat(run("abandon", keys, OTHER)).isEqualTo(1L);
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void grantOfAScript_andAHoldfasts_excludeEachOther() {
        acquire(MINE, 5_000);
        assertThat(locks.tryLock(key, Duration.ofSeconds(5))).isEmpty();
        assertThat(run("release", List.of(lockKey()), String.valueOf(backdoor.get(lockKey()))))
                .isEqualTo(1L);

        Lease lease = locks.tryLock(key, Duration.ofSeconds(5)).orElseThrow();
        assertThat(acquire(MINE, 5_000)).startsWith("contended", lease.token());
    }

    @Test
    void inspect_sinceWhen_isAboutNow() {
        Holdfast other = another();
        assertThat(other.tryLock(key, Duration.ofSeconds(5))).isPresent();

        assertThat(Objects.requireNonNull(locks.inspect(key).holder()).since())
                .isBetween(Instant.now().minusSeconds(30), Instant.now().plusSeconds(30));
    }

    /** Its reply in words, also where it is one string. */
    private List<String> acquire(String token, long ttlMillis) {
        Object reply = run("acquire", List.of(lockKey(), "holdfast:fence"), token, Long.toString(ttlMillis), "0");
        return reply instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of(String.valueOf(reply).split(" ", -1));
    }

    private @Nullable Object run(String verb, List<String> keys, String... args) {
        List<String> words = new ArrayList<>(List.of("EVAL", Verbs.script(verb), Integer.toString(keys.size())));
        words.addAll(keys);
        words.addAll(List.of(args));
        return redis().raw().call(words.toArray(String[]::new));
    }

    private static String token(char letter) {
        return String.valueOf(letter).repeat(34) + ".60000~host/1";
    }
}
