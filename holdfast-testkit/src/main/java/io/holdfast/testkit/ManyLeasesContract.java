// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand leases of 3 s held by one process: renewed in batches, none lost. Runs for 15 s, for a minute with the system
 * property {@code holdfast.faults=long}.
 */
public abstract class ManyLeasesContract extends ProtocolContract {
    private static final int LEASES = 10_000;
    private static final Duration TIME = Duration.ofSeconds(TestServers.faultsAtLength() ? 60 : 15);
    private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start(); // its statistics count this test alone
    }

    @Test
    void tenThousandLeasesOfThreeSeconds_areAllKeptWithFewCommands() {
        LongAdder renewed = new LongAdder();
        LongAdder failed = new LongAdder();
        LongAdder lost = new LongAdder();
        Holdfast process = another(builder -> builder.listener(new LockListener() {
            @Override
            public void renewed(LockEvent event) {
                renewed.increment();
            }

            @Override
            public void renewalFailed(LockEvent event) {
                failed.increment();
            }

            @Override
            public void lost(LockEvent event) {
                lost.increment();
            }
        }));
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            leases.add(process.lock(
                            key + ":" + i, options -> options.ttl(ms(3_000)).renew(true))
                    .acquire());
        }
        long renewedBefore = renewed.sum();
        long callsBefore = evalCalls();
        elapse(TIME);
        long calls = evalCalls() - callsBefore;
        long renewals = renewed.sum() - renewedBefore;

        assertThat(lost.sum())
                .as("leases lost; %s renewals failed", failed.sum())
                .isZero();
        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(raw().call("DBSIZE")).as("every lock and the fence counter").isEqualTo(LEASES + 1L);
        assertThat(renewals).as("rounds").isGreaterThan(LEASES * (TIME.toSeconds() / 2));
        assertThat(calls).as("commands for %s renewals", renewals).isLessThanOrEqualTo(renewals / 100);
    }

    private long evalCalls() {
        Matcher calls = CALLS.matcher(String.valueOf(raw().call("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
