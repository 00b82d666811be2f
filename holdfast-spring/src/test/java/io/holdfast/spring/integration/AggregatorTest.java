// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.testkit.HoldfastTest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/** Two aggregators share a store; locks of ours keep them from working on one group at a time. */
@HoldfastTest
class AggregatorTest {
    private static final int GROUPS = 150;
    /** The pool of the JDK may have a single thread, and these two wait for each other. */
    private static final Executor OWN_THREAD = task -> new Thread(task).start();

    @Configuration
    @EnableIntegration
    static class TwoNodes {
        @Bean
        MessageGroupStore store() {
            return new SimpleMessageStore();
        }

        @Bean
        QueueChannel whole() {
            return new QueueChannel();
        }

        @Bean
        @ServiceActivator(inputChannel = "nodeA")
        AggregatingMessageHandler aggregatorA(URI server, MessageGroupStore store) {
            return aggregator(locksA(server), store);
        }

        @Bean
        @ServiceActivator(inputChannel = "nodeB")
        AggregatingMessageHandler aggregatorB(URI server, MessageGroupStore store) {
            return aggregator(locksB(server), store);
        }

        @Bean
        Holdfast locksA(URI server) {
            return Holdfast.connect(server.toString());
        }

        @Bean
        Holdfast locksB(URI server) {
            return Holdfast.connect(server.toString());
        }

        private AggregatingMessageHandler aggregator(Holdfast locks, MessageGroupStore store) {
            AggregatingMessageHandler handler =
                    new AggregatingMessageHandler(new DefaultAggregatingMessageGroupProcessor(), store);
            handler.setLockRegistry(new HoldfastLockRegistry(locks, "groups"));
            handler.setOutputChannelName("whole");
            handler.setExpireGroupsUponCompletion(true);
            return handler;
        }
    }

    @Test
    void twoNodesAtOnce_makeEachGroupWholeOnce(URI server) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(URI.class, () -> server);
            context.register(TwoNodes.class);
            context.refresh();

            CyclicBarrier together = new CyclicBarrier(2);
            CompletableFuture<?> a = CompletableFuture.runAsync(() -> sendHalves(context, 1, together), OWN_THREAD);
            CompletableFuture<?> b = CompletableFuture.runAsync(() -> sendHalves(context, 2, together), OWN_THREAD);

            assertThat(a).succeedsWithin(Duration.ofSeconds(60));
            assertThat(b).succeedsWithin(Duration.ofSeconds(60));
            assertThat(groups(context.getBean(QueueChannel.class)))
                    .hasSize(GROUPS)
                    .allSatisfy(group -> assertThat(group)
                            .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                            .containsExactlyInAnyOrder("half 1", "half 2"));
            context.getBeansOfType(Holdfast.class)
                    .values()
                    .forEach(locks -> assertThat(locks.heldLeases()).isZero());
        }
    }

    private static void sendHalves(AnnotationConfigApplicationContext context, int half, CyclicBarrier together) {
        MessageChannel channel = context.getBean(half == 1 ? "nodeA" : "nodeB", MessageChannel.class);
        for (int group = 0; group < GROUPS; group++) {
            try {
                together.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("the other one failed", e);
            }
            channel.send(MessageBuilder.withPayload("half " + half)
                    .setCorrelationId("group-" + group)
                    .setSequenceNumber(half)
                    .setSequenceSize(2)
                    .build());
        }
    }

    private static List<List<?>> groups(QueueChannel whole) {
        List<List<?>> groups = new ArrayList<>();
        Message<?> next;
        while ((next = whole.receive(0)) != null) {
            groups.add((List<?>) next.getPayload());
        }
        return groups;
    }
}
