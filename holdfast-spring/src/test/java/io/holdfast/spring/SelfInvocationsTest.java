// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lock;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongBiFunction;
import org.junit.jupiter.api.Test;

class SelfInvocationsTest {

    @Test
    void search_findsCallsOnThis() {
        assertThat(in(Careless.class))
                .containsExactlyInAnyOrder(
                        "Careless.directly calls pay",
                        "Careless.amongOthers calls pay",
                        "Careless.inCondition calls pay",
                        "Careless.inLambda calls pay",
                        "Careless.byReference calls pay",
                        "Careless.inCatch calls pay",
                        "Careless.inSwitch calls pay",
                        "Careless.inLoop calls pay",
                        "Careless.payBoth calls pay");
    }

    @Test
    void search_findsCallsOfInheritedMethods() {
        assertThat(in(Heir.class)).containsExactly("Heir.payTwice calls pay", "Heir.payTwice calls refund");
    }

    @Test
    void search_callsOnOthers_findsNone() {
        assertThat(in(Careful.class)).isEmpty();
    }

    @Test
    void start_withSelfInvocation_warnsUnlessTurnedOff() {
        LockAdviceSettings off = new LockAdviceSettings(0, InTransaction.WARN, false);
        try (Rig rig = Rig.start(Heir.class);
                Rig silent = Rig.start(off, Heir.class)) {
            assertThat(rig.log()).containsOnlyOnce("Heir.payTwice calls refund on this, which bypasses the proxy");
            assertThat(silent.log()).isEmpty();
        }
    }

    private static Set<String> in(Class<?> type) {
        return SelfInvocations.in(type, LockedMethods.of(type));
    }

    static class Careless {
        private long sum;

        @Lock("order:{id}")
        public long pay(String id, long cents) {
            return cents;
        }

        void directly() {
            pay("1", 2);
        }

        void amongOthers(double[] rates, int i) {
            sum += (long) (rates[i] * 3) + pay(String.valueOf(sum++), 3L * i) % 7;
        }

        void inCondition(boolean first) {
            pay(first ? "1" : "2", first && sum > 3 ? 1 : 2);
        }

        void inLambda(List<String> ids) {
            ids.forEach(id -> pay(id, 1));
        }

        ToLongBiFunction<String, Long> byReference() {
            return this::pay;
        }

        void inCatch(List<String> ids) {
            try {
                ids.clear();
            } catch (UnsupportedOperationException e) {
                pay(e.getMessage(), 1);
            }
        }

        void inSwitch(int kind) {
            switch (kind) {
                case 1 -> sum = 0;
                case 2 -> pay("2", kind);
                default -> sum = 1;
            }
        }

        void inLoop(Object[][] ids) {
            for (Object[] some : ids) {
                for (int i = 0; i < some.length; i++) {
                    if (some[i] instanceof String id) {
                        pay(id, new long[2][i].length);
                    }
                }
            }
        }

        @Lock("both:{id}")
        public void payBoth(String id) {
            pay(id, 1);
        }
    }

    static class Parent {
        @Lock("order")
        public void pay() {}
    }

    static class Heir extends Parent {
        @Override
        public void pay() {
            super.pay();
        }

        @Lock("order")
        public void refund() {}

        void payTwice() {
            pay();
            refund();
        }
    }

    static class Careful {
        private final Careful self;

        Careful(Careful self) {
            this.self = self;
        }

        @Lock("order:{id}")
        public long pay(String id, Object what) {
            return 1;
        }

        void throughTheBean(boolean first) {
            self.pay(first ? "1" : "2", this);
            this.self.pay("1", this);
        }

        void throughAnother(Careful other, Careful[] all) {
            other.pay(other.toString(), this);
            all[(int) self.pay("1", this)].pay("2", this);
        }

        void inLambda(List<String> ids) {
            ids.forEach(id -> self.pay(id, this));
            Consumer<Object> reference = what -> self.pay("1", what);
            reference.accept(this);
        }

        ToLongBiFunction<String, Object> byReference() {
            return self::pay;
        }

        static void statically(Careful careful) {
            careful.pay("1", careful);
        }

        void pay(String other) {}

        void another() {
            pay("1");
        }
    }
}
