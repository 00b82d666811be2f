// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.Locks;
import io.holdfast.LossPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** One call whose result is there when the method returns. */
class LockedMethodTest extends WeavingBench {
    private static final Object[] NONE = {};

    @Test
    void call_holdsTheLockWhileTheBodyRuns_andNotAfter() {
        String result = method(String.class, lock("a")).call(locks, NONE, leases -> {
            assertThat(isHeld("a")).isTrue();
            assertThat(leases).extracting(Lease::key).containsExactly("a");
            return "ran";
        });

        assertThat(result).isEqualTo("ran");
        assertThat(isHeld("a")).isFalse();
        assertThat(taken.get(0).label()).contains("a");
    }

    @Test
    void call_thatThrows_givesTheLockBack_checkedExceptionsAsTheyAre() {
        IOException failure = new IOException("as the test asked for");

        assertThatThrownBy(() -> method(void.class, lock("a")).call(locks, NONE, leases -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).isEmpty();
        assertThat(isHeld("a")).isFalse();
    }

    @Test
    void severalLocks_areTakenByKey_givenBackInReverse_andHandedOverAsDeclared() {
        method(void.class, lock("c"), lock("a"), lock("b")).call(locks, NONE, leases -> {
            assertThat(leases).extracting(Lease::key).containsExactly("c", "a", "b");
            assertThat(Locks.current().key()).isEqualTo("c");
            return null;
        });

        assertThat(log)
                .containsExactly("acquired a", "acquired b", "acquired c", "released c", "released b", "released a");
    }

    @Test
    void keyNamedTwice_isTakenOnce_asItsFirstAnnotationSays() {
        MethodLock first = MethodLock.key("{x}").ttlMs(1_000).build();
        MethodLock second = MethodLock.key("{y}").ttlMs(2_000).build();

        method(void.class, first, second).call(locks, new Object[] {"k", "k"}, leases -> {
            assertThat(leases.get(0)).isSameAs(leases.get(1));
            return null;
        });

        assertThat(log).containsExactly("acquired k", "released k");
        assertThat(taken.get(0).ttl()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void secondLockBusy_givesTheFirstBack() {
        try (Lease other = busy("b")) {
            assertThatThrownBy(() -> method(void.class, lock("a"), lock("b")).call(locks, NONE, leases -> null))
                    .isInstanceOf(LockNotAcquiredException.class);
            assertThat(isHeld("a")).isFalse();
        }
    }

    @Test
    void busy_skipped_givesWhatIsEmpty() {
        try (Lease other = busy("a")) {
            assertThat(skipped(void.class)).isNull();
            assertThat(skipped(String.class)).isNull();
            assertThat(skipped(boolean.class)).isEqualTo(false);
            assertThat(skipped(Boolean.class)).isEqualTo(false);
            assertThat(skipped(Optional.class)).isEqualTo(Optional.empty());
            assertThat(skipped(OptionalInt.class)).isEqualTo(OptionalInt.empty());
            assertThat(skipped(OptionalLong.class)).isEqualTo(OptionalLong.empty());
            assertThat(skipped(OptionalDouble.class)).isEqualTo(OptionalDouble.empty());
        }
    }

    @Test
    void busy_withAFallback_runsThatInstead() {
        MethodLock lock = MethodLock.key("a").onBusy(BusyPolicy.FALLBACK, "f").build();
        try (Lease other = busy("a")) {
            String result = method(String.class, lock, lock("b"))
                    .call(locks, NONE, leases -> "ran", busy -> "instead of " + busy.key());

            assertThat(result).isEqualTo("instead of a");
        }
    }

    @Test
    void interrupted_isNeverTakenForBusy() {
        MethodLock lock =
                MethodLock.key("a").waitMs(60_000).onBusy(BusyPolicy.SKIP, "").build();
        try (Lease other = busy("a")) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> method(void.class, lock).call(locks, NONE, leases -> null))
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void loss_ofAMethodThatSucceeded_isThrown() {
        assertThatThrownBy(() -> method(String.class, lock("a")).call(locks, NONE, leases -> {
                    lose("a");
                    return "ran";
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void loss_ofOneOfTwo_releasesTheOtherToo() {
        assertThatThrownBy(() -> method(String.class, lock("a"), lock("b")).call(locks, NONE, leases -> {
                    lose("b");
                    return "ran";
                }))
                .isInstanceOfSatisfying(
                        LockLostException.class, lost -> assertThat(lost.key()).isEqualTo("b"));
        assertThat(log).endsWith("released a");
    }

    @Test
    void loss_withTheOtherPolicy_letsTheResultThrough() {
        MethodLock lock = MethodLock.key("a").onLost(LossPolicy.WARN).build();

        String result = method(String.class, lock).call(locks, NONE, leases -> {
            lose("a");
            return "ran";
        });

        assertThat(result).isEqualTo("ran");
    }

    @Test
    void loss_ofAMethodThatFailed_isAttachedToItsFailure() {
        IllegalStateException failure = new IllegalStateException("as the test asked for");

        assertThatThrownBy(() -> method(void.class, lock("a")).call(locks, NONE, leases -> {
                    lose("a");
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed())
                .hasOnlyElementsOfType(LockLostException.class)
                .hasSize(1);
    }

    @Test
    void leaseThatTheMethodGaveBack_isNoLoss() {
        String result = method(String.class, lock("a")).call(locks, NONE, leases -> {
            assertThat(leases.get(0).release()).isTrue();
            return "ran";
        });

        assertThat(result).isEqualTo("ran");
    }

    @Test
    void current_isTheInnermost_andGoneAfterwards() {
        List<String> seen = new ArrayList<>();
        method(void.class, lock("outer")).call(locks, NONE, outer -> {
            method(void.class, lock("inner")).call(locks, NONE, inner -> {
                seen.add(Locks.current().key());
                seen.add(Locks.current("outer").key());
                return null;
            });
            seen.add(Locks.current().key());
            assertThatIllegalStateException()
                    .isThrownBy(() -> Locks.current("inner"))
                    .withMessageContaining("no method with @Lock that took lock inner");
            return null;
        });

        assertThat(seen).containsExactly("inner", "outer", "outer");
        assertThatIllegalStateException()
                .isThrownBy(Locks::current)
                .withMessage("no method with @Lock is running on this thread");
    }

    @Test
    void current_afterAMethodThatThrew_isGone() {
        assertThatThrownBy(() -> method(void.class, lock("a")).call(locks, NONE, leases -> {
                    throw new IllegalStateException("as the test asked for");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThatIllegalStateException().isThrownBy(Locks::current);
    }

    @Test
    void sameKeyAgain_isBusy_unlessTheOwnerIsTheSame() {
        LockedMethod plain = method(void.class, lock("a"));
        LockedMethod owned =
                method(void.class, MethodLock.key("b").owner("{id}").build());

        plain.call(locks, NONE, leases -> {
            assertThatThrownBy(() -> plain.call(locks, NONE, again -> null))
                    .isInstanceOf(LockNotAcquiredException.class);
            return null;
        });
        Object[] owner = {"request-1"};
        assertThat(owned.<String>call(locks, owner, leases -> owned.call(locks, owner, again -> "in")))
                .isEqualTo("in");
    }

    @Test
    void placeholders_ofSeveralLocks_takeTheirValuesInOrder() {
        MethodLock first = MethodLock.key("a{x}").owner("{y}").build();

        method(void.class, first, lock("b{z}")).call(locks, new Object[] {1, "me", 2}, leases -> null);

        assertThat(log).startsWith("acquired a1", "acquired b2");
        assertThat(taken.get(0).owner()).contains("me");
    }

    @Test
    void property_ofNull_isNull_andExceptionsComeOutAsTheyAre() {
        IOException failure = new IOException("as the test asked for");

        assertThat(LockedMethod.<String, Integer>property(null, String::length)).isNull();
        assertThat(LockedMethod.<String, Integer>property("abc", String::length))
                .isEqualTo(3);
        assertThatThrownBy(() -> LockedMethod.property("abc", text -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void check_defaultsThatDoNotFit_areTold() {
        LockedMethod method = method(void.class, MethodLock.key("a").ttlMs(500).build());
        try (io.holdfast.Holdfast retaining = io.holdfast.Holdfast.builder()
                .backend(store)
                .defaults(io.holdfast.LockOptions.builder()
                        .retain(Duration.ofSeconds(1))
                        .build())
                .build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> method.check(retaining))
                    .withMessage(
                            "Shop.f: @Lock(\"a\") does not go with the lock manager's defaults: retain must be shorter "
                                    + "than the ttl PT0.5S, was PT1S");
        }
    }

    private Object skipped(Class<?> result) {
        MethodLock lock = MethodLock.key("a").onBusy(BusyPolicy.SKIP, "").build();
        return method(result, lock).call(locks, NONE, leases -> "ran");
    }

    private static LockedMethod method(Class<?> result, MethodLock... locks) {
        return LockedMethod.of("Shop.f", result, locks);
    }

    private static MethodLock lock(String key) {
        return MethodLock.key(key).build();
    }
}
