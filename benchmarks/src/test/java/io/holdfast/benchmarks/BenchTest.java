// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.holdfast.benchmarks.Board.Phase;
import io.holdfast.benchmarks.CommandTap.Origin;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Speed is not tested, machines being what they are; that all is measured that should be is. */
class BenchTest {
    private static final int CYCLES = 50;
    /** Holdfast opens a connection to listen on, pings it, and asks what the server can do: at no fixed time. */
    private static final Set<String> NOT_OF_A_CYCLE =
            Set.of("hello", "auth", "client", "select", "command", "subscribe", "ping");

    private static final Team.Pace TINY = new Team.Pace(Duration.ofMillis(20), Duration.ofMillis(100));

    private static EmbeddedRedis server;

    @BeforeAll
    static void start() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void run_ofEveryContender_measuresAndReports() throws InterruptedException {
        Settings settings = new Settings(List.of(Scenario.OWN_1), List.of(), 1, TINY, true);
        StringWriter progress = new StringWriter();

        Results results = new Bench(settings, new PrintWriter(progress)).run(server);

        assertThat(results.remarks()).isEmpty();
        assertThat(results.turns(Scenario.OWN_1)).containsOnlyKeys(Scenario.OWN_1.entries());
        results.turns(Scenario.OWN_1).forEach((entry, turns) -> {
            assertThat(turns).as("%s", entry).singleElement().satisfies(turn -> {
                assertThat(turn.grants()).isPositive();
                assertThat(turn.serverMicros()).isNotNegative();
                assertThat(turn.overlaps()).isZero();
            });
            assertThat(progress.toString()).contains(entry.toString());
        });
        assertThat(Report.of(settings, new Machine(server.version()), results))
                .contains("| 1 thread, own lock | holdfast-jedis | ≥ 0.95 × hand-jedis |")
                .contains("| spring-pubsub |")
                .contains("| holdfast-jedis | 10 |");
    }

    @Test
    void processesWithoutALock_areFoundOut() throws InterruptedException {
        Settings settings =
                new Settings(List.of(Scenario.TWO_BY_ONE), List.of(Entry.UNLOCKED, Entry.HAND_JEDIS), 1, TINY, true);

        Results results = new Bench(settings, new PrintWriter(new StringWriter())).run(server);

        assertThat(results.overlaps(Scenario.TWO_BY_ONE, Entry.UNLOCKED)).isPositive();
        assertThat(results.overlaps(Scenario.TWO_BY_ONE, Entry.HAND_JEDIS)).isZero();
        assertThat(Report.of(settings, new Machine(server.version()), results))
                .contains("| unlocked | **did not exclude: ");
    }

    static Stream<Entry> withoutBackgroundTraffic() {
        return Stream.of(Entry.values())
                .filter(entry -> entry.toString().startsWith("hand-")
                        || entry == Entry.HOLDFAST_JEDIS
                        || entry == Entry.HOLDFAST_LETTUCE
                        || entry.toString().endsWith("-unfenced"));
    }

    @ParameterizedTest
    @MethodSource("withoutBackgroundTraffic")
    void uncontendedCycle_isTwoClientCommands(Entry entry) throws InterruptedException {
        RedisAddress address = RedisAddress.parse(server.uri());
        try (ServerView view = new ServerView(address);
                Contender contender = entry.open(address)) {
            contender.acquire("warm-up").release(); // connects and loads scripts
            ClientCommands commands = new ClientCommands();
            Map<String, Long> before = view.calls();
            CommandTap tap = view.tap();
            for (int i = 0; i < CYCLES; i++) {
                contender.acquire("counted").release();
            }
            Map<String, Long> after = view.calls();
            await().until(() -> tap.seen("info"));
            Map<String, Origin> seen = tap.stop();
            commands.learn(entry, seen);

            after.keySet().removeAll(NOT_OF_A_CYCLE);
            assertThat(commands.between(entry, before, after)).as("%s", seen).isEqualTo(2.0 * CYCLES);
        }
    }

    @Test
    void threadThatFails_endsTheTurn() throws InterruptedException {
        Board board = Board.inMemory();
        Contender broken = new Contender() {
            @Override
            public Grant acquire(String key) {
                throw new IllegalStateException("no lock today");
            }

            @Override
            public void close() {}
        };
        Crew crew = Crew.assemble(broken, Scenario.OWN_1, board);
        board.phase(Phase.STOP);

        assertThatIllegalStateException().isThrownBy(crew::disband).withMessageContaining("no lock today");
    }
}
