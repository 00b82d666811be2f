// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.testkit.HoldfastTest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration elects a leader among two nodes by locks of ours. */
@HoldfastTest
class LeaderElectionTest {
    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> grants = new ConcurrentHashMap<>();
    private volatile boolean twoAtOnce;

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
    }

    private final class Node extends DefaultCandidate implements AutoCloseable {
        final Holdfast locks;
        final LockRegistryLeaderInitiator initiator;
        volatile boolean leads;

        Node(URI server, String id) {
            super(id, "billing");
            locks = Holdfast.builder()
                    .uri(server.toString())
                    .closeWait(Duration.ofSeconds(5))
                    .build();
            // Half a second between renewals: a leader learns that soon that its lock was taken away.
            initiator = new LockRegistryLeaderInitiator(
                    new HoldfastLockRegistry(locks, "leader", Duration.ofMillis(1_500)), this);
            initiator.setHeartBeatMillis(100);
            initiator.setBusyWaitMillis(20);
            initiator.start();
            nodes.add(this);
        }

        /** Spring gives the lock back before it tells a leader that it is none any more: what counts is who holds the lock. */
        @Override
        public void onGranted(Context context) {
            twoAtOnce |= leads
                    || nodes.stream()
                            .anyMatch(other ->
                                    other != this && !other.locks.held().isEmpty());
            grants.merge(getId(), 1, Integer::sum);
            leads = true;
        }

        @Override
        public void onRevoked(Context context) {
            leads = false;
        }

        @Override
        public void close() {
            initiator.stop();
            locks.close();
        }
    }

    @Test
    void twoNodes_haveOneLeader_andTheOtherTakesOver(URI server) {
        Node first = new Node(server, "first");
        await().until(() -> first.leads);
        Node second = new Node(server, "second");
        await().until(() -> second.locks.waitingAcquires() > 0);
        assertThat(second.leads).isFalse();

        first.close();

        await().until(() -> second.leads);
        await().until(() -> !first.leads);
        assertThat(twoAtOnce).isFalse();
    }

    @Test
    void leader_whoseLockIsTakenAway_stepsDownAndThereIsALeaderAgain(URI server, Holdfast operator) {
        Node first = new Node(server, "first");
        await().until(() -> first.leads);

        assertThat(operator.forceRelease("leader:billing")).isPresent();

        await().until(() -> grants.get("first") == 2);
        assertThat(twoAtOnce).as("it stepped down in between").isFalse();
        assertThat(first.locks.held()).hasSize(1);
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
    }
}
