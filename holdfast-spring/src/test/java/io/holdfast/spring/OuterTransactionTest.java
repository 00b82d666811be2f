// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Lock;
import io.holdfast.LockLostException;
import io.holdfast.LossPolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A method with a lock inside its caller's transaction. */
class OuterTransactionTest {

    @Test
    void warn_byDefault_saysOncePerMethodThatTheLockEndsFirst() {
        try (Rig rig = Rig.start(Database.class, Caller.class, Payments.class)) {
            rig.get(Caller.class).inTransaction(OuterTransactionTest::payTwice);

            assertThat(rig.events).containsExactly("begin", "locked", "unlocked", "locked", "unlocked", "commit");
            assertThat(rig.log()).containsOnlyOnce("@Lock on Payments.pay is called inside a transaction");
        }
    }

    @Test
    void refuse_insideTransaction_takesNoLock() {
        try (Rig rig = start(InTransaction.REFUSE)) {
            assertThatThrownBy(() -> rig.get(Caller.class).inTransaction(OuterTransactionTest::payTwice))
                    .isInstanceOf(IllegalTransactionStateException.class)
                    .hasMessageContaining("Payments.pay");
            assertThat(rig.events).containsExactly("begin", "rollback");

            rig.get(Payments.class).pay("1");
            assertThat(rig.events).endsWith("locked", "unlocked");
        }
    }

    @Test
    void refuse_ofMethodWithTransactionOfItsOwn_works() {
        try (Rig rig = start(InTransaction.REFUSE)) {
            rig.get(Caller.class).inTransaction(payments -> payments.payApart("1"));

            assertThat(rig.events).containsExactly("begin", "locked", "begin", "commit", "unlocked", "commit");
        }
    }

    @Test
    void releaseAfterCompletion_holdsLocksUntilCommitted() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            rig.get(Caller.class).inTransaction(OuterTransactionTest::payTwice);

            assertThat(rig.events).containsExactly("begin", "locked", "locked", "commit", "unlocked", "unlocked");
            assertThat(rig.log()).doesNotContain("is called inside a transaction");
            assertThat(rows(rig)).isEqualTo(2);
        }
    }

    @Test
    void releaseAfterCompletion_methodFailedButCallerWentOn_holdsLockUntilCommitted() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            rig.get(Caller.class)
                    .inTransaction(payments ->
                            assertThatThrownBy(() -> payments.fail("1")).hasMessage("no money"));

            assertThat(rig.events).containsExactly("begin", "locked", "commit", "unlocked");
        }
    }

    @Test
    void releaseAfterCompletion_rolledBack_releasesThen() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            assertThatThrownBy(() -> rig.get(Caller.class).inTransaction(payments -> {
                        payments.pay("1");
                        throw new IllegalStateException("later");
                    }))
                    .hasMessage("later");

            assertThat(rig.events).containsExactly("begin", "locked", "rollback", "unlocked");
        }
    }

    @Test
    void releaseAfterCompletion_lostBeforeCommit_rollsBack() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            assertThatThrownBy(() -> rig.get(Caller.class).inTransaction(payments -> {
                        payments.pay("1");
                        rig.memory.expire("payment:1");
                    }))
                    .isInstanceOf(LockLostException.class);

            assertThat(rig.events).containsExactly("begin", "locked", "rollback");
            assertThat(rows(rig)).isZero();
        }
    }

    @Test
    void releaseAfterCompletion_lostWhileMethodRuns_methodFailsAndCallerCantCommit() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            AtomicReference<Throwable> fromMethod = new AtomicReference<>();
            assertThatThrownBy(() -> rig.get(Caller.class)
                            .inTransaction(payments -> fromMethod.set(
                                    catchThrowable(() -> payments.payThen("1", () -> rig.memory.expire("payment:1"))))))
                    .isInstanceOf(LockLostException.class);

            assertThat(fromMethod.get()).isInstanceOf(LockLostException.class);
            assertThat(rows(rig)).isZero();
        }
    }

    @Test
    void releaseAfterCompletion_lossOnlyToWarnOf_commits() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            rig.get(Caller.class).inTransaction(payments -> {
                payments.payAnyway("1");
                rig.memory.expire("payment:1");
            });

            assertThat(rig.events).containsExactly("begin", "locked", "commit");
            assertThat(rig.log()).contains("went on without its lock");
        }
    }

    @Test
    void releaseAfterCompletion_stageEndsAfterTransaction_releasesThen() {
        try (Rig rig = start(InTransaction.RELEASE_AFTER_COMPLETION)) {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = rig.get(Caller.class).later(work);

            assertThat(rig.events).containsExactly("begin", "locked", "commit");
            assertThat(rig.isHeld("payment:1")).isTrue();
            work.complete("done");
            assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
            assertThat(rig.isHeld("payment:1")).isFalse();
        }
    }

    private static void payTwice(Payments payments) {
        payments.pay("1");
        payments.pay("2");
    }

    private static Rig start(InTransaction policy) {
        LockAdviceSettings settings = new LockAdviceSettings(LockAdviceSettings.DEFAULT_ORDER, policy, true);
        return Rig.start(settings, Database.class, Caller.class, Payments.class);
    }

    private static Integer rows(Rig rig) {
        return rig.get(JdbcTemplate.class).queryForObject("select count(*) from payment", Integer.class);
    }

    static class Caller {
        private final Payments payments;

        Caller(Payments payments) {
            this.payments = payments;
        }

        @Transactional
        public void inTransaction(Consumer<Payments> work) {
            work.accept(payments);
        }

        @Transactional
        public CompletableFuture<String> later(CompletableFuture<String> work) {
            return payments.payLater("1", work);
        }
    }

    static class Payments {
        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Lock("payment:{id}")
        public void pay(String id) {
            jdbc.update("insert into payment values (?)", id);
        }

        @Lock("payment:{id}")
        public void payThen(String id, Runnable then) {
            jdbc.update("insert into payment values (?)", id);
            then.run();
        }

        @Lock(key = "payment:{id}", onLost = LossPolicy.WARN)
        public void payAnyway(String id) {
            jdbc.update("insert into payment values (?)", id);
        }

        @Lock("payment:{id}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void payApart(String id) {
            jdbc.update("insert into payment values (?)", id);
        }

        @Lock("payment:{id}")
        public void fail(String id) {
            throw new IllegalArgumentException("no money");
        }

        @Lock("payment:{id}")
        public CompletableFuture<String> payLater(String id, CompletableFuture<String> work) {
            return work;
        }
    }
}
