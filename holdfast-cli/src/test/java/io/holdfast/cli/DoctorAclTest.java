// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockException;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The two ACL lines of docs/troubleshooting.md: enough, none of their words one too many, and what is missing is named. */
@NullUnmarked
class DoctorAclTest {
    private static final int APPLICATION = 0;
    private static final int OBSERVER = 1;
    private static final String SECRET = "hunter2";
    /** Waiters poll without these. */
    private static final Set<String> PUB_SUB = Set.of("+publish", "+subscribe", "&holdfast:ch:*");
    /** Plain locks work without these. */
    private static final Set<String> SOME_USES =
            Set.of("+hset", "+hget", "+zrange", "+zcount", "+zscore", "+zremrangebyscore");

    /** For the doctor, except that inspect, without +get, takes the holder for another library's. */
    private static final Set<String> DISPENSABLE = Set.of("+info", "+config|get", "+scan", "+get");

    static Stream<Named<EmbeddedRedisBuilder>> servers() {
        return DoctorRun.servers();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void application_withoutOneWord_isToldWhichWord(EmbeddedRedisBuilder server) throws IOException {
        try (EmbeddedRedis redis = server.setting("appendonly", "yes").start()) {
            assertThat(as(redis, documented(APPLICATION)).line("permissions")).startsWith("ok");
            assertThat(as(redis, documented(APPLICATION)).exitCode()).isZero();
            for (String word : words(APPLICATION)) {
                String level = PUB_SUB.contains(word) || SOME_USES.contains(word) ? "warn" : "FAIL";
                String check = PUB_SUB.contains(word) ? "pub/sub" : "permissions";

                DoctorRun run = as(redis, without(APPLICATION, word));

                assertThat(run.line(check))
                        .as("without " + word)
                        .startsWith(level)
                        .endsWith("-> ACL SETUSER holdfast " + word);
                assertThat(run.exitCode()).as("without " + word).isEqualTo(level.equals("FAIL") ? 1 : 0);
                assertThat(run.out() + run.err()).doesNotContain(SECRET, "\tat ");
            }
        }
    }

    @Test
    void application_withoutWhatFairLocksNeed_isToldWhatForAndThatTheyFail() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            DoctorRun run = as(redis, without(APPLICATION, "+zrange"));
            assertThat(run.line("permissions")).startsWith("warn").contains("+zrange missing", "fair locks");

            try (Holdfast application = holdfast(grant(redis, without(APPLICATION, "+zrange")))) {
                assertThat(application.tryLock("order:1", Duration.ofSeconds(1)))
                        .isPresent();
                assertThatThrownBy(() ->
                                application.lock("order:2", o -> o.fair(true)).tryAcquire())
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining("NOPERM");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void observer_withoutOneWord_isToldWhichWord(EmbeddedRedisBuilder server) throws IOException {
        try (EmbeddedRedis redis = server.setting("appendonly", "yes").start()) {
            DoctorRun whole = as(redis, documented(OBSERVER), "--read-only", "--strict");
            assertThat(whole.exitCode()).as(whole.out()).isZero();
            for (String word : words(OBSERVER)) {
                DoctorRun run = as(redis, without(OBSERVER, word), "--read-only", "--strict");

                assertThat(run.exitCode()).as("without " + word).isEqualTo(1);
                assertThat(run.out()).as("without " + word).contains("-> ACL SETUSER holdfast-observer " + word + "\n");
            }
        }
    }

    @Test
    void observer_mayInspect_andCanNeitherTakeNorFreeALock() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Holdfast owner = holdfast(redis.uri())) {
            assertThat(owner.tryLock("order:1", Duration.ofMinutes(1))).isPresent();
            String uri = grant(redis, documented(OBSERVER));

            assertThat(DoctorRun.run("inspect", "order:1", "--redis", uri).exitCode())
                    .isZero();
            try (Holdfast observer = holdfast(uri)) {
                assertThat(observer.inspect("order:1").isHeld()).isTrue();
                assertThatThrownBy(() -> observer.tryLock("order:2", Duration.ofSeconds(1)))
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining("NOPERM");
            }
            DoctorRun run = DoctorRun.as(uri);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.line("permissions")).startsWith("FAIL").contains("+set", "+del", "+hset");
            assertThat(owner.inspect("order:1").isHeld()).isTrue();
        }
    }

    @Test
    void inspect_withoutAWordOfItsOwn_fails() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Holdfast owner = holdfast(redis.uri())) {
            assertThat(owner.lock("order:1", o -> o.owner("o")).tryAcquire()).isPresent();
            for (String word : words(OBSERVER)) {
                String uri = grant(redis, without(OBSERVER, word));
                DoctorRun inspect = DoctorRun.run("inspect", "order:1", "--redis", uri);
                assertThat(inspect.exitCode())
                        .as("without " + word + ": " + inspect.err())
                        .isEqualTo(DISPENSABLE.contains(word) ? 0 : 2);
            }
        }
    }

    @Test
    void oneWayKeys_areNotEnough() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            List<String> line = documented(APPLICATION);
            line.set(line.indexOf("~holdfast:*"), "%R~holdfast:*");
            assertThat(as(redis, line).line("permissions")).startsWith("FAIL").endsWith("~holdfast:*");
        }
    }

    @Test
    void whatMayNotBeAsked_isAWarningThatNamesIt() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            DoctorRun run = as(redis, documented(APPLICATION));
            assertThat(run.exitCode()).isZero();
            for (String check : List.of("eviction", "persistence", "clients")) {
                assertThat(run.line(check))
                        .startsWith("warn")
                        .contains("could not be asked")
                        .endsWith("-> ACL SETUSER holdfast +info");
            }
            assertThat(run.line("timeout")).startsWith("warn").endsWith("+config|get");
            assertThat(run.line("keys")).startsWith("warn").endsWith("+scan");
            assertThat(run.level("version")).isEqualTo("ok");
        }
    }

    private static DoctorRun as(EmbeddedRedis redis, List<String> acl, String... more) {
        return DoctorRun.as(grant(redis, acl), more);
    }

    private static Holdfast holdfast(String uri) {
        return Holdfast.builder()
                .connector(JedisConnector.connect(RedisAddress.parse(uri)))
                .closeWait(Duration.ZERO)
                .build();
    }

    /** Makes the user of a line, anew, and returns its address. */
    private static String grant(EmbeddedRedis redis, List<String> acl) {
        List<String> line = new ArrayList<>(acl);
        line.set(line.indexOf(">secret"), ">" + SECRET);
        line.add(3, "reset");
        try (Patient admin = DoctorRun.admin(redis)) {
            admin.ask(line.toArray(String[]::new));
        }
        return "redis://" + line.get(2) + ":" + SECRET + "@" + redis.host() + ":" + redis.port() + DoctorRun.PATIENCE;
    }

    private static List<String> without(int user, String word) throws IOException {
        List<String> line = documented(user);
        assertThat(line.remove(word)).isTrue();
        return line;
    }

    /** What a line grants. */
    private static List<String> words(int user) throws IOException {
        return documented(user).stream().filter(word -> word.matches("[+~&].*")).toList();
    }

    private static List<String> documented(int user) throws IOException {
        return new ArrayList<>(List.of(DoctorRun.documentedAcls().get(user).split(" ", -1)));
    }
}
