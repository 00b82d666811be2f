// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Messages between processes: late, stale, made up, refused. They may cost time, never the lock, and never a storm. */
@NullUnmarked
public abstract class WakeUpContract extends WaitingContract {
    private static final String PASSWORD = "wake-s3cret";
    /** No safety poll is due so soon: whoever gets the lock by then was told. */
    private static final Duration BEFORE_ANY_POLL = ms(1_800);

    private static boolean looksAtTheQueue(RedisCommand command) {
        return Verbs.isRelease(command) && command.words().toString().contains(":queue:");
    }

    @Test
    void wanted_heardAfterTheRelease_hasTheQueueServed() {
        TamperingConnector network = network();
        Lease holder = hold(listener(network));
        network.subscriptions().holdMessages();
        Holdfast other = listener();
        try (Monitor monitor = monitor()) {
            CompletableFuture<Lease> waiter = queue(other);
            String entry = queued().get(0);

            assertThat(holder.release()).isTrue();

            List<RedisCommand> releases = network.asked(Verbs::isRelease);
            assertThat(looksAtTheQueue(releases.get(releases.size() - 1)))
                    .as("released as if nobody waited")
                    .isFalse();
            network.subscriptions().letGo();
            granted(waiter);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(entry));
        }
    }

    @Test
    void wanted_whileTheReleaseIsUnderWay_hasTheQueueServed() {
        TamperingConnector network = network();
        Lease holder = hold(listener(network));
        Holdfast other = listener();
        try (Monitor monitor = monitor()) {
            CompletableFuture<Lease> waiter = waiting(other, options -> options.ttl(TTL));
            network.when(Verbs::isRelease)
                    .once()
                    .first(() -> await().until(() -> !published(monitor, "w").isEmpty()));
            holder.release();

            granted(waiter);
            assertThat(toldOfTheirTurn(monitor)).hasSize(1);
        }
    }

    @Test
    void holderNearItsEnd_hearsThatItsLockIsWanted() {
        Lease holder = hold(listener());
        Holdfast other = listener();
        raw().call("PEXPIRE", lockKey(), "800");
        try (Monitor monitor = monitor()) {
            assertThat(queue(other)).isNotDone();

            assertThat(published(monitor, "w")).contains(id(holder.token()));
        }
    }

    @Test
    void word_whileAQuestionIsUnderWay_isNotForgotten() {
        Lease holder = hold(locks);
        TamperingConnector network = network();
        Holdfast process = listener(network);
        network.when(Verbs::isAcquire).once().delayReply(ms(200));
        CompletableFuture<Lease> waiter = queue(process);

        holder.release(); // the answer, older than the word, says that the lock is taken

        assertThat(waiter).succeedsWithin(BEFORE_ANY_POLL);
    }

    @Test
    void message_laterThanTheProvisionalLease_doesNotMakeTwoHolders() {
        Lease holder = hold(locks);
        TamperingConnector slow = network();
        CompletableFuture<Lease> late = queue(listener(slow), options -> options.ttl(ms(300)));
        String entry = queued().get(0);
        slow.subscriptions().delayMessages(ms(600));
        holder.release();
        assertThat(backdoor.get(lockKey())).contains(id(entry));
        await().until(() -> !backdoor.exists(lockKey()));
        Lease successor = hold(locks);
        int asked = slow.asked(Verbs::isAcquire).size();

        await().until(() -> slow.asked(Verbs::isAcquire).size() > asked); // the message is there
        await().until(() -> queued().size() == 1);
        assertThat(late).isNotDone();
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
        slow.calm();
        successor.release();
        assertThat(granted(late).fencingToken()).isGreaterThan(successor.fencingToken());
    }

    @Test
    void staleMessages_costOneQuestionEachAndNotThePlace() {
        Lease holder = hold(locks);
        TamperingConnector network = network();
        Holdfast process = listener(network);
        String channel = channel(process);
        CompletableFuture<Lease> first = queue(process);
        CompletableFuture<Lease> second = queue(listener());
        List<String> order = queued();
        Object arrived = raw().call("ZSCORE", queueKey(), order.get(0));
        int asked = network.asked(Verbs::isAcquire).size();

        for (int i = 0; i < 200; i++) {
            raw().call("PUBLISH", channel, "g" + id(order.get(0)));
        }
        await().until(() -> network.asked(Verbs::isAcquire).size() > asked);
        await().until(() -> {
            int before = network.asked(Verbs::isAcquire).size();
            elapse(ms(100));
            return network.asked(Verbs::isAcquire).size() == before;
        });
        assertThat(network.asked(Verbs::isAcquire).size() - asked)
                .as("questions for 200 messages")
                .isLessThanOrEqualTo(200);
        assertThat(queued()).isEqualTo(order);
        assertThat(raw().call("ZSCORE", queueKey(), order.get(0))).isEqualTo(arrived);
        holder.release();
        granted(first).release();
        granted(second);
    }

    @Test
    void nonsenseOnTheChannel_isIgnored() {
        Lease holder = hold(locks);
        TamperingConnector network = network();
        Holdfast process = listener(network);
        String channel = channel(process);
        CompletableFuture<Lease> waiter = queue(process);
        String id = id(queued().get(0));
        int asked = network.asked(command -> true).size();
        long since = System.nanoTime();

        for (String nonsense :
                List.of("", "g", "w", id, "x" + id, "g" + id + "!", "G" + id, "w" + id, "\0".repeat(35))) {
            raw().call("PUBLISH", channel, nonsense);
        }
        raw().call("PUBLISH", channel, "g" + "z".repeat(34));
        raw().call("PUBLISH", channel, "w" + "z".repeat(34));
        raw().call("PUBLISH", channel, "g".repeat(1_000_000));
        elapse(ms(50));

        int more = network.asked(command -> true).size() - asked;
        assertThat(more).as("but for polls, on a slow machine").isLessThanOrEqualTo((int)
                ((System.nanoTime() - since) / 1_500_000_000));
        try (Monitor monitor = monitor()) {
            holder.release();
            granted(waiter);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id);
        }
    }

    @Test
    void exactKey_isDeletedAndTheHeadIsWokenButNotGrantedIt() {
        Holdfast exact = another(Holdfast.Builder::exactKeys);
        TamperingConnector deaf = network();
        Holdfast other = listening(another(builder -> builder.connector(deaf).exactKeys()));
        Lease holder = exact.tryLock(key, TTL).orElseThrow();
        CompletableFuture<Lease> waiter = waiting(other, options -> options.ttl(TTL));
        String queue = "holdfast:queue:" + key;
        await().until(() -> backdoor.exists(queue));
        deaf.subscriptions().delayMessages(ms(300));
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isTrue();

            assertThat(raw().call("SET", key, "another library", "NX"))
                    .as("a foreign poller's turn")
                    .isEqualTo("OK");
            assertThat(toldOfTheirTurn(monitor)).hasSize(1);
        }
        await().until(() -> backdoor.exists(queue)); // it was woken, found the lock taken, and joined again
        assertThat(waiter).isNotDone();
        backdoor.delete(key);
        assertThat(granted(waiter).isHeld()).isTrue();
        assertThat(backdoor.exists(queue)).isFalse();
    }

    @Test
    void holderThatMayNotPublish_freesTheLockAllTheSame() {
        String user = "u-" + key;
        raw().call("ACL", "SETUSER", user, "on", ">" + PASSWORD, "resetchannels", "~*", "+@all", "-publish");
        RedisAddress at = redis().address();
        Holdfast mute = at(new RedisAddress(at.host(), at.port(), user, PASSWORD, 0, false, at.timeout()));
        Lease holder = hold(mute);
        CompletableFuture<Lease> waiter = queue(listener());

        assertThat(holder.release()).isTrue();

        assertThat(backdoor.exists(lockKey())).isFalse();
        assertThat(waiter).isNotDone();
        assertThat(hold(locks).release()).isTrue();
        raw().call("ACL", "DELUSER", user);
    }

    @Test
    void waiterThatMayNotListen_pollsAtTheRetryIntervalAndNeverJoins() {
        Lease holder = hold(locks);
        TamperingConnector network = network();
        network.subscriptions().refuse(new RedisReplyException("NOPERM no channels here"));
        Holdfast poller = behind(network);
        CompletableFuture<Lease> waiter = waiting(
                poller, options -> options.ttl(TTL).retryInterval(ms(40)).jitter(0));
        await().until(() -> network.asked(Verbs::isAcquire).size() >= 2);
        int asked = network.asked(Verbs::isAcquire).size();
        long since = System.nanoTime();
        await().until(() -> network.asked(Verbs::isAcquire).size() >= asked + 5);

        assertThat(System.nanoTime() - since).isGreaterThan(ms(4 * 40).toNanos());
        assertThat(queued()).isEmpty();
        holder.release();
        assertThat(waiter).succeedsWithin(BEFORE_ANY_POLL);
        assertThat(network.subscriptions().opened())
                .as("tried once, and not before a minute")
                .isEqualTo(1);
    }

    @Test
    void subscriptionThatLosesWordButAnswersPings_isReplacedOnceThatShows() {
        TamperingConnector network = network();
        Holdfast process = listener(network);
        network.subscriptions().deafen();
        await().until(() -> {
            Lease holder = locks.tryLock(key, ms(700), TTL).orElseThrow();
            CompletableFuture<Lease> waiter = waiting(process, options -> options.ttl(TTL));
            holder.release(); // it asks when the holder's key must have ended, and finds that it was granted the lock
            // before
            granted(waiter).release();
            return network.subscriptions().opened() > 1;
        });
        listening(process);
        Lease holder = hold(locks);
        CompletableFuture<Lease> waiter = queue(process);

        holder.release();

        assertThat(waiter).succeedsWithin(BEFORE_ANY_POLL);
        assertThat(network.subscriptions().opened()).isEqualTo(2);
    }

    @Test
    void holderThatLetsItsLeaseEnd_isFollowedBeforeAnyPollIsDue() {
        Holdfast process = listener();
        assertThat(locks.tryLock(key, ms(500))).isPresent();

        CompletableFuture<Lease> waiter = waiting(process, options -> options.ttl(TTL));

        assertThat(waiter).succeedsWithin(BEFORE_ANY_POLL);
        assertThat(queued()).isEmpty();
    }

    @Test
    void foreignHolderWithoutAnEnd_isPolledAtTheRetryInterval() {
        backdoor.set(lockKey(), "another library", 0);
        CompletableFuture<Lease> waiter =
                queue(listener(), options -> options.ttl(TTL).retryInterval(ms(50)));

        backdoor.delete(lockKey());

        assertThat(waiter).succeedsWithin(BEFORE_ANY_POLL);
        assertThat(queued()).isEmpty();
    }
}
