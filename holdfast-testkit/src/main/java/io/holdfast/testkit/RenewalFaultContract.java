// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LostReason;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Renewal when the network or the server fails: tried until the lease can't be saved, and then told in time (P3). */
public abstract class RenewalFaultContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofMillis(1_200);
    /** How long a slow reply takes: much more than the margin of a lease of 10 s. */
    private static final Duration SLOW = Duration.ofMillis(800);

    private Lease renewed(Holdfast process) {
        return process.lock(key, options -> options.ttl(TTL).renew(true)).acquire();
    }

    /** Renewed so often that a slow machine can't lose it. */
    private Lease renewedOften(Holdfast process) {
        return process.lock(
                        key,
                        options ->
                                options.ttl(Duration.ofSeconds(10)).renew(true).renewEvery(ms(100)))
                .acquire();
    }

    @Test
    void renewal_thatFails_isTriedAgainUntilItGetsThrough() {
        TamperingConnector network = network();
        AtomicInteger failures = new AtomicInteger();
        Holdfast process = another(builder -> builder.connector(network).listener(new LockListener() {
            @Override
            public void renewalFailed(LockEvent event) {
                failures.incrementAndGet();
            }
        }));
        network.when(Verbs::isRenew).times(3).fail(RedisConnectionException.noReply("connection reset", null));
        Lease lease = renewedOften(process);

        await().until(() -> network.asked(Verbs::isRenew).size() >= 5);
        assertThat(failures).hasValue(3);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
    }

    @Test
    void renewal_answeredWithAPassingError_isTriedAgain() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).times(2).fail(new RedisReplyException("LOADING Redis is loading the dataset"));
        Lease lease = renewedOften(behind(network));
        await().until(() -> network.asked(Verbs::isRenew).size() >= 4);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void renewal_whoseReplyIsLost_isRepeatedWithoutHarm() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).times(2).loseReply();
        Lease lease = renewedOften(behind(network));
        await().until(() -> network.asked(Verbs::isRenew).size() >= 4);
        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
    }

    @Test
    void connectionsKilled_doNotCostTheLease() {
        Lease lease = renewedOften(locks);
        for (int i = 0; i < 4; i++) {
            raw().call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            awaitRenewal(lockKey(), Duration.ofSeconds(10)); // over a new connection
        }
        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(lease.release()).isTrue();
    }

    /**
     * The process goes by a clock that is moved by hand, to a millisecond before the TTL of its last renewal ends; for the
     * server hardly any of the minute has passed. So however late a busy machine runs the callback, the key is there, and it is
     * the clock that told.
     */
    @Test
    void renewal_thatNeverGetsThrough_isToldBeforeTheTtlOfTheLastOneEnds() {
        Duration ttl = Duration.ofMinutes(1);
        TestClock clock = TestClock.frozen();
        TamperingConnector network = network();
        EventRecorder events = new EventRecorder();
        Lease lease = another(builder -> builder.connector(network).clock(clock).listener(events))
                .lock(key, options -> options.ttl(ttl).renew(true))
                .acquire();
        AtomicLong keyLeft = new AtomicLong();
        AtomicReference<LostReason> reason = new AtomicReference<>();
        lease.onLost(why -> {
            keyLeft.set(backdoor.pttl(lockKey()));
            reason.set(why);
        });
        clock.advance(ttl.dividedBy(3));
        await().until(() -> events.of("renewed").size() == 1);

        network.when(Verbs::isRenew).fail(RedisConnectionException.noReply("unreachable", null));
        Duration most = ttl.multipliedBy(9).dividedBy(10);
        clock.advance(most);
        await().until(() -> !events.of("renewalFailed").isEmpty());
        assertThat(lease.isHeld()).as("not given up early").isTrue();
        clock.advance(ttl.minus(most).minusMillis(1));

        await().until(() -> reason.get() != null);
        assertThat(reason).hasValue(LostReason.EXPIRED);
        assertThat(keyLeft.get()).as("told while the key lives").isPositive();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void renewal_thatNeverGetsThrough_isTriedToTheEndAndTheLossIsToldOnce() {
        TamperingConnector network = network();
        Lease lease = renewed(behind(network));
        AtomicLong lastRenewal = new AtomicLong();
        network.when(Verbs::isRenew).once().first(() -> lastRenewal.set(System.nanoTime()));
        network.when(Verbs::isRenew).fail(RedisConnectionException.noReply("unreachable", null));
        AtomicReference<LostReason> reason = new AtomicReference<>();
        AtomicReference<Boolean> heldInCallback = new AtomicReference<>();
        AtomicLong toldAt = new AtomicLong();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(why -> {
            toldAt.set(System.nanoTime());
            heldInCallback.set(lease.isHeld());
            reason.set(why);
            told.incrementAndGet();
        });

        await().until(() -> told.get() > 0);
        Duration waited = Duration.ofNanos(toldAt.get() - lastRenewal.get());
        assertThat(waited)
                .as("not given up early")
                .isGreaterThan(TTL.multipliedBy(8).dividedBy(10));
        assertThat(heldInCallback.get()).isFalse();
        assertThat(reason).hasValue(LostReason.EXPIRED);
        assertThat(network.asked(Verbs::isRenew)).as("tried again and again").hasSizeGreaterThan(4);
        assertThat(lease.remaining()).isZero();

        network.calm();
        int sent = network.asked(Verbs::isRenew).size();
        elapse(ms(500));
        assertThat(network.asked(Verbs::isRenew))
                .as("no renewal after the loss")
                .hasSize(sent);
        assertThat(told).as("told once").hasValue(1);
        await().until(() -> !backdoor.exists(lockKey()));
    }

    /** The client's own time limit, which would be too late, must not count: neither of a blocking one. */
    @Test
    void renewal_thatHangs_leavesTimeForAnother() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).once().stall();
        Lease lease = behind(network)
                .lock(key, options -> options.ttl(Duration.ofSeconds(2)).renew(true))
                .acquire();
        await().until(() -> network.asked(Verbs::isRenew).size() >= 3 || !lease.isHeld());
        assertThat(lease.isHeld()).as("renewed by the second try").isTrue();
    }

    @Test
    void renewal_confirmedAfterValidityEnded_isALoss() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).once().delayReply(TTL.plusMillis(300));
        network.when(Verbs::isRenew).holdBack();
        Lease lease = renewed(behind(network));
        await().until(() -> lease.lostReason().isPresent());
        elapse(ms(700));
        assertThat(lease.isHeld()).as("the late OK changes nothing").isFalse();
        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
    }

    /** Nobody's renewal is undone, but this one is the releasing holder's. */
    @Test
    void renewal_confirmedWhileTheLeaseIsBeingReleased_leavesTheReleaseItsWork() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).once().stall();
        network.when(Verbs::isRelease).once().first(() -> {
            network.letGo(); // the lease counts as released, and the server has not heard of it
            elapse(ms(100));
        });
        Lease lease = renewedOften(behind(network));
        await().until(() -> network.underWay() == 1);
        assertThat(lease.release()).isTrue();
        assertThat(lease.lostReason()).isEmpty();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void renewal_confirmedSlowly_countsFromBeforeItWasSent() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).once().delayReply(SLOW);
        network.when(Verbs::isRenew).fail(RedisConnectionException.noReply("unreachable", null));
        Lease lease = renewedOften(behind(network));
        await().until(() -> network.asked(Verbs::isRenew).size() >= 2); // so the first was confirmed
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10).minus(SLOW));
    }

    @Test
    void renewByHand_confirmedSlowly_countsFromBeforeItWasSent() {
        TamperingConnector network = network();
        network.when(Verbs::isRenew).once().delayReply(SLOW);
        Lease lease = behind(network).tryLock(key, Duration.ofSeconds(10)).orElseThrow();
        assertThat(lease.renew(Duration.ofSeconds(10))).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10).minus(SLOW));
    }

    @Test
    void holdfast_thatIsClosed_losesItsLeasesAndRenewsNoMore() {
        TamperingConnector network = network();
        Holdfast process = behind(network);
        Lease lease = renewed(process);
        AtomicReference<LostReason> told = new AtomicReference<>();
        lease.onLost(told::set);
        process.close();
        await().until(() -> told.get() != null);
        assertThat(told).hasValue(LostReason.CLOSED);
        await().until(() -> !backdoor.exists(lockKey()));
    }
}
