// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs, in JVMs of their own with a temporary directory of their own, so that what they leave behind is seen. */
class DemoTest {
    private static final String SECRET = "hunter2";
    /** What the launcher says of a terminal of 24 rows, for a JVM that it did not start. */
    private static final Map<String, String> ON_A_TERMINAL =
            Map.of("JAVA_TOOL_OPTIONS", "-D" + Screen.ROWS_PROPERTY + "=24");
    /** Holder, one or two who wait, TTL, token, acquisitions, and hand-overs by p50 and p99. */
    private static final Pattern FULL_ROW = Pattern.compile(
            "order:\\d +worker-\\d/\\d+ +[12] +[12],?\\d+ +\\d{16,} +[1-9]\\d* +\\d+\\.\\d +[\\d,.]+\n");

    @TempDir
    Path temporary;

    @TempDir
    Path kept;

    @Test
    void demo_survivesAKillAndAPause_andProvesIt() throws Exception {
        Command demo = Command.run(temporary, "demo", "--seconds", "6", "--seed", "1", "--history", kept.toString());
        assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
        assertThat(demo.err()).isEmpty();
        assertThat(demo.out())
                .contains("overlaps found     0", "SIGKILL to", "SIGSTOP to")
                .doesNotContain("\033");

        Verdict verdict = Verdict.of(History.readAll(kept));
        assertThat(verdict.sections()).isGreaterThan(20);
        assertThat(verdict.overlaps()).isEmpty();
        assertThat(verdict.staleAccepted()).isZero();
        assertThat(verdict.staleRejected()).isGreaterThanOrEqualTo(1);
        assertThat(verdict.kills()).isNotEmpty().allSatisfy(kill -> {
            assertThat(kill.claim().pid())
                    .isEqualTo(verdict.kills().get(0).claim().pid());
            assertThat(Duration.ofNanos(Optional.ofNullable(kill.nextGrant()).orElseThrow() - kill.killedAt()))
                    .isLessThanOrEqualTo(Demo.TTL.plusSeconds(1));
        });
        assertThat(verdict.pauses()).singleElement().matches(pause -> pause.toldLost() && pause.rejected());
        assertNothingLeft();

        assertThat(demo.out().lines())
                .as("said is what the kept histories prove")
                .containsSequence(VerdictText.lines(verdict));
        putAnOverlapInto(kept);
        Verdict broken = Verdict.of(History.readAll(kept));
        assertThat(broken.overlaps()).isNotEmpty();
        assertThat(VerdictText.lines(broken)).last().asString().startsWith("FAILED");
    }

    /** One more history, of a process that claims to hold a lock while one of the workers does. */
    private static void putAnOverlapInto(Path histories) {
        Event granted = History.readAll(histories).stream()
                .filter(event -> event.kind() == Kind.GRANTED)
                .findFirst()
                .orElseThrow();
        try (History intruder = History.create(histories.resolve("intruder" + History.SUFFIX))) {
            Event same = granted.withPid(1).withNanos(granted.nanos() + 1);
            intruder.record(same);
            intruder.record(new Event(same.nanos() + 1, Kind.LEFT, 1, same.op(), same.lock(), same.token(), 0));
        }
    }

    @Test
    void demo_withoutMutualExclusion_exits1() throws Exception {
        Command demo = Command.run(temporary, "demo", "--seconds", "6", "--skip-locks");
        assertThat(demo.exitCode()).as(demo.out() + demo.err()).isEqualTo(1);
        assertThat(demo.out()).containsPattern("overlaps found +[1-9]").contains("FAILED");
    }

    @Test
    void demo_killedOnAServerOfTheUsers_takesItsWorkersAndKeysAlong() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password(SECRET).start();
                RedisConnector raw = JedisConnector.connect(RedisAddress.parse(redis.uri()))) {
            raw.send(RedisCommand.keyed("SET", "theirs", "1"))
                    .toCompletableFuture()
                    .join();
            Path out = temporary.resolve("out.txt");
            Process demo = Command.start(
                    temporary, ON_A_TERMINAL, out, temporary.resolve("err.txt"), "demo", "--redis", redis.uri());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(keys(raw)).anyMatch(key -> key.contains(":value:order:")));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(Files.readString(out)).containsPattern(FULL_ROW));
            List<ProcessHandle> workers = demo.descendants().toList();
            assertThat(workers)
                    .hasSize(3)
                    .allSatisfy(worker -> assertThat(commandLine(worker))
                            .contains("demo-worker")
                            .doesNotContain(SECRET));

            demo.destroyForcibly();

            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                assertThat(workers).noneMatch(ProcessHandle::isAlive);
                assertThat(keys(raw)).containsExactly("theirs");
            });
            assertThat(Files.readString(out))
                    .contains("Redis: redis://127.0.0.1:")
                    .doesNotContain(SECRET);
            assertNothingLeft();
        }
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElseThrow();
    }

    private static List<String> keys(RedisConnector raw) {
        Object keys = raw.send(RedisCommand.keyless("KEYS", "*"))
                .toCompletableFuture()
                .join();
        return ((List<?>) keys).stream().map(String::valueOf).toList();
    }

    private void assertNothingLeft() throws Exception {
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("holdfast-demo-"))
                    .noneMatch(name -> name.startsWith("holdfast-redis-"));
        }
    }
}
