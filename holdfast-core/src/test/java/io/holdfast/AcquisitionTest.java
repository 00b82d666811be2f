// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.MonotonicClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Races too narrow for the contract suites: they lie between two steps of one acquire. */
class AcquisitionTest {
    private final HandClock clock = new HandClock();
    private final InMemoryBackend store = new InMemoryBackend(MonotonicClock.SYSTEM);
    private final LockName name = new KeySpace("holdfast", "lock", false).name("order:42");
    private final Engine engine =
            new Engine(granting(), new Alarms(clock), new Tokens("host-a/4711"), new Events(List.of()));
    private final Acquisition acquisition = new Acquisition(
            engine, new Wish(name, LockOptions.builder().build(), Patience.once(), Runnable::run, engine.events));

    @AfterEach
    void close() {
        engine.close(Duration.ZERO);
    }

    @Test
    void grant_cancelledBetweenItsAnswerAndItsLease_isGivenBack() {
        acquisition.start();

        assertThat(acquisition.result()).isCancelled();
        assertThat(store.get(name.lockKey())).as("the grant nobody got").isNull();
    }

    @Test
    void bid_withdrawnBeforeItWasSent_isNeverSent() {
        Bid bid = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        bid.withdraw(engine.cleaner, false);

        assertThat(bid.send(0, false, 0)).isCompletedExceptionally();
        assertThat(store.get(name.lockKey())).as("a grant nobody would undo").isNull();
    }

    /** Somebody who has left may still be on the way to Redis with the bid that the next one won, used and gave back. */
    @Test
    void bid_whoseHoldIsBeingReleased_isNeitherSentNorListed() {
        Bid bid = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        bid.spend();

        assertOver(bid);
    }

    /** Its copy may have taken the lock after the first grant had ended, and was answered before the loss was noticed. */
    @Test
    void bid_grantedOnceMoreAfterItWasWon_isTakenOffWithItsHold() {
        Bid bid = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        for (boolean wins : List.of(true, false)) {
            CompletableFuture<?> reply = bid.send(0, false, 0);
            assertThat(bid.claim()).isEqualTo(wins);
            bid.settled(reply);
        }
        bid.spend();
        bid.close(engine.cleaner);

        assertThat(store.get(name.lockKey())).as("a grant nobody would undo").isNull();
    }

    @Test
    void bid_thatIsAskedForOnceMore_doesNotBelieveTheWordOfItsFirstGrant() {
        AcquireReply.Granted grant = new AcquireReply.Granted(1, true, true, true, "");
        Bid bid = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        assertThat(bid.send(0, true, 0)).isCompleted();
        bid.called(grant);
        assertThat(bid.claimByWord(0)).isEqualTo(new Bid.HandedOver(grant, 0));

        bid.reopen();
        bid.called(grant);

        assertThat(bid.claimByWord(0)).isNull();
    }

    @Test
    void bid_thatTriedOnce_believesTheWordFromThenOn_andAfterASecondTryNotAtAll() {
        AcquireReply.Granted grant = new AcquireReply.Granted(1, true, true, true, "");
        store.set(name.lockKey(), "another's", 0);
        long late = Duration.ofMinutes(1).toNanos();
        Bid bid = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        assertThat(bid.send(0, true, 7)).isCompleted();
        bid.called(grant);
        assertThat(bid.claimByWord(late)).as("too little is left").isNull();
        assertThat(bid.claimByWord(8)).isEqualTo(new Bid.HandedOver(grant, 7));

        Bid again = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        assertThat(again.send(0, true, 7)).isCompleted();
        assertThat(again.send(0, true, 8)).isCompleted();
        again.called(grant);

        assertThat(again.claimByWord(8)).isNull();
    }

    @Test
    void heirOfOneWhoseGrantCameTooLate_asksWithABidOfItsOwn() {
        Engine plain = new Engine(store, new Alarms(clock), new Tokens("host-a/4711"), new Events(List.of()));
        store.set(name.lockKey(), "another's", 0);
        Acquisition gone = waiting(plain);
        Acquisition heir = waiting(plain);
        Bid bid = gone.standing.bid;
        gone.fail(new IllegalStateException("its caller went away"));
        assertThat(heir.standing.bid).isSameAs(bid);

        long longAgo = clock.nanoTime() - Duration.ofHours(1).toNanos();
        gone.granted(new AcquireReply.Granted(1, false, false), longAgo, bid);

        assertThat(heir.standing.bid).isNotSameAs(bid);
        assertThat(heir.standing.bid.asker).isSameAs(heir);
        assertThat(heir.standing.bid.isOver()).isFalse();
        plain.close(Duration.ZERO);
    }

    private Acquisition waiting(Engine process) {
        LockOptions options = LockOptions.builder().build();
        Acquisition started =
                new Acquisition(process, new Wish(name, options, Patience.endless(), Runnable::run, process.events));
        started.start();
        return started;
    }

    @Test
    void bid_whoseHoldWasLost_isNeitherSentNorListed() {
        Bid bid = new Bid(store, name, LockOptions.builder().build(), engine.tokens);
        engine.switchboard.add(bid);
        engine.keeper.lose(new Hold(bid, new AcquireReply.Granted(1, false, false), clock.nanoTime()), LostReason.GONE);

        assertOver(bid);
    }

    private void assertOver(Bid bid) {
        engine.switchboard.add(bid);

        assertThat(bid.send(0, true, 0)).isCompletedExceptionally();
        assertThat(store.get(name.lockKey())).as("a grant for nobody").isNull();
        assertThat(engine.switchboard.size()).as("bids that word could be for").isZero();
    }

    /** The store; the caller goes away right after it granted. */
    private LockBackend granting() {
        return (LockBackend) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, verb, arguments) -> {
                    Object reply = verb.invoke(store, arguments);
                    if (verb.getName().equals("acquire")) {
                        assertThat(store.get(name.lockKey())).as("granted").isNotNull();
                        clock.afterNextLook(() -> acquisition.result().cancel(false));
                    }
                    return reply;
                });
    }
}
