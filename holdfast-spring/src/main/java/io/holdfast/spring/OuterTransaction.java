// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import io.holdfast.LockLostException;
import io.holdfast.weaving.AnnotatedMethod;
import io.holdfast.weaving.CurrentLeases;
import io.holdfast.weaving.Held;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that a caller began before it called a method with locks. The method's own begins later, inside. */
final class OuterTransaction {
    private static final Logger log = LoggerFactory.getLogger(OuterTransaction.class);

    private final AnnotationTransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);
    private final InTransaction policy;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    OuterTransaction(InTransaction policy) {
        this.policy = policy;
    }

    /** Whether the method does its work outside of the caller's transaction, so that the lock covers it whatever happens. */
    boolean isLeftBy(Method method, Class<?> target) {
        TransactionAttribute own = attributes.getTransactionAttribute(method, target);
        return own != null
                && (own.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                        || own.getPropagationBehavior() == TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    }

    /** Refuses or warns, if there is one and that is the policy. */
    void beforeCall(AnnotatedMethod method) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return;
        }
        if (policy == InTransaction.REFUSE) {
            throw new IllegalTransactionStateException(
                    "@Lock on " + method
                            + " is called inside a transaction, which would commit after the lock is given back: take the lock first");
        }
        if (policy == InTransaction.WARN && warned.add(method.toString())) {
            log.warn(
                    "@Lock on {} is called inside a transaction: its lock is given back before that transaction commits, and the "
                            + "next holder may not see what it wrote. Take the lock outside the transaction, or hold it until "
                            + "then: holdfast.advice.in-transaction=release-after-completion. Said once per method.",
                    method);
        }
    }

    /** Where the method runs: holds its locks until the transaction is complete, if that is the policy. */
    void holdAsSettled() {
        if (policy == InTransaction.RELEASE_AFTER_COMPLETION
                && TransactionSynchronizationManager.isActualTransactionActive()) {
            Held held = CurrentLeases.held().orElseThrow();
            TransactionSynchronizationManager.registerSynchronization(new ReleaseAtEnd(held));
            held.share();
        }
    }

    /** Of the lowest precedence, which is the default: the commit comes right after the check, the release last. */
    private record ReleaseAtEnd(Held held) implements TransactionSynchronization {

        /** The last moment when a loss can still undo what was written. */
        @Override
        public void beforeCommit(boolean readOnly) {
            held.check(null);
        }

        @Override
        public void afterCompletion(int status) {
            try {
                held.release(null);
            } catch (LockLostException lost) {
                if (status != STATUS_ROLLED_BACK) {
                    log.warn("The transaction was committed beside others: {}", lost.getMessage());
                }
            }
        }
    }
}
