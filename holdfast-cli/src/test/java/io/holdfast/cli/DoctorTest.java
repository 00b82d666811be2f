// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@NullUnmarked
class DoctorTest {
    private static EmbeddedRedis redis;
    private static Patient admin;

    @TempDir
    Path temporary;

    @BeforeAll
    static void start() {
        redis = EmbeddedRedis.builder().setting("appendonly", "yes").start();
        admin = DoctorRun.admin(redis);
    }

    @AfterAll
    static void stop() {
        admin.close();
        redis.close();
    }

    @AfterEach
    void reset() {
        admin.ask("FLUSHALL");
        config("maxmemory", "0");
        config("maxmemory-policy", "noeviction");
        config("timeout", "0");
        config("maxclients", "1000");
        config("appendonly", "yes");
        config("appendfsync", "everysec");
        config("save", "");
    }

    static Stream<Named<EmbeddedRedisBuilder>> servers() {
        return DoctorRun.servers();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void goodServer_isFit_andNothingIsLeftBehind(EmbeddedRedisBuilder server) {
        try (EmbeddedRedis fit = server.setting("appendonly", "yes").start();
                Patient raw = DoctorRun.admin(fit)) {
            DoctorRun run = DoctorRun.of(fit, "--strict");

            assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
            assertThat(run.out().lines().filter(line -> line.startsWith("ok ")))
                    .as(run.out())
                    .hasSize(12);
            assertThat(run.out()).contains("is fit for locks: 0 failures, 0 warnings");
            assertThat(run.line("version")).endsWith(fit.version());
            assertThat(raw.ask("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void locksInUse_areNotDisturbed() {
        try (Holdfast holdfast = Holdfast.builder()
                        .connector(JedisConnector.connect(RedisAddress.parse(redis.uri())))
                        .build();
                Lease held = holdfast.lock("order:1", o -> o.ttl(Duration.ofMinutes(1)))
                        .acquire();
                Lease shared = holdfast.lock("order:2", o -> o.owner("o").ttl(Duration.ofMinutes(1)))
                        .acquire()) {
            String before = contents();

            DoctorRun run = DoctorRun.of(redis, "--strict");

            assertThat(run.exitCode()).as(run.out()).isZero();
            assertThat(run.line("keys")).contains("4 keys of locks looked at");
            assertThat(contents()).isEqualTo(before);
            assertThat(held.renew(Duration.ofMinutes(1))).isTrue();
            assertThat(shared.release()).isTrue();
        }
    }

    @Test
    void readOnly_writesNothing_andTriesNoLock() {
        long before = writes();

        DoctorRun run = DoctorRun.of(redis, "--read-only");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).doesNotContain("trial", "pub/sub", "release");
        assertThat(writes()).isEqualTo(before);
    }

    @Test
    void ctrlC_leavesNothingBehind() throws Exception {
        Path out = temporary.resolve("out");
        for (int attempt = 0; attempt < 3; attempt++) {
            Process doctor = Command.start(temporary, Map.of(), out, out, "doctor", "--redis", redis.uri());
            try {
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> !admin.ask("DBSIZE").equals(0L) || !doctor.isAlive());
                doctor.destroy();
                doctor.waitFor();
            } finally {
                doctor.destroyForcibly();
            }
            // Sooner than a TTL of 30 s would do it.
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> admin.ask("DBSIZE").equals(0L));
        }
    }

    @Test
    void persistence_none_warns_andStrictCountsIt() {
        config("appendonly", "no");
        DoctorRun run = DoctorRun.of(redis);
        assertThat(run.exitCode()).isZero();
        assertThat(run.line("persistence")).startsWith("warn").contains("none", "CONFIG SET appendonly yes");
        assertThat(DoctorRun.of(redis, "--strict").exitCode()).isEqualTo(1);

        config("save", "3600 1");
        assertThat(looked("persistence")).startsWith("warn").contains("RDB only (save 3600 1)");
    }

    @Test
    void persistence_aof_isOkUnlessItIsNeverSynced() {
        assertThat(looked("persistence")).startsWith("ok").contains("appendfsync everysec");
        config("appendfsync", "always");
        assertThat(looked("persistence")).startsWith("ok").contains("always");
        config("appendfsync", "no");
        assertThat(looked("persistence")).startsWith("warn").contains("CONFIG SET appendfsync everysec");
    }

    @ParameterizedTest
    @CsvSource({"volatile-lru", "volatile-ttl", "allkeys-lru", "allkeys-random"})
    void eviction_allowed_warnsAndSaysHowFullItIs(String policy) {
        config("maxmemory-policy", policy);
        assertThat(looked("eviction")).startsWith("ok").contains("no maxmemory");
        config("maxmemory", "1073741824");
        assertThat(looked("eviction"))
                .startsWith("warn")
                .contains(policy, "% of maxmemory (1,048,576 KB) used", "CONFIG SET maxmemory-policy noeviction");
    }

    @Test
    void eviction_off_isOkUntilMemoryIsNearlyFull() {
        config("maxmemory", "1073741824");
        assertThat(looked("eviction")).startsWith("ok");
        config("maxmemory", String.valueOf((long) (Long.parseLong(used()) * 1.05)));
        assertThat(looked("eviction")).startsWith("warn").contains("new locks are refused");
    }

    @Test
    void maxmemory_reached_failsTheTrial() {
        config("maxmemory", "1");
        DoctorRun run = DoctorRun.of(redis);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.line("trial")).startsWith("FAIL").contains("OOM");
        assertThat(run.out()).contains("is NOT fit for locks: 1 failure");
    }

    @Test
    void timeout_short_warns() {
        assertThat(looked("timeout")).startsWith("ok");
        config("timeout", "3600");
        assertThat(looked("timeout")).startsWith("ok");
        config("timeout", "30");
        assertThat(looked("timeout")).startsWith("warn").contains("after 30 s", "CONFIG SET timeout 0");
    }

    @Test
    void clients_nearlyAll_warns() {
        assertThat(looked("clients")).startsWith("ok").contains("of 1,000 connections");
        config("maxclients", "20");
        List<Patient> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < 17; i++) {
                crowd.add(DoctorRun.admin(redis));
                crowd.get(i).ask("PING");
            }
            assertThat(looked("clients")).startsWith("warn").contains("of 20 connections");
        } finally {
            crowd.forEach(Patient::close);
        }
    }

    @Test
    void replica_fails_andNamesThePrimary() {
        try (EmbeddedRedis replica = EmbeddedRedis.builder()
                .setting("replicaof", redis.host() + " " + redis.port())
                .start()) {
            DoctorRun run = DoctorRun.of(replica);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.line("role"))
                    .startsWith("FAIL")
                    .endsWith("connect to the primary, " + redis.host() + ":" + redis.port());
            assertThat(run.out()).doesNotContain("trial");
        }
        assertThat(looked("role")).startsWith("ok");
    }

    @Test
    void clusterNode_fails() {
        try (EmbeddedRedis node =
                EmbeddedRedis.builder().setting("cluster-enabled", "yes").start()) {
            DoctorRun run = DoctorRun.of(node);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.line("role")).startsWith("FAIL").contains("Cluster");
        }
    }

    @Test
    void keys_withoutOrWithTooLongATtl_areCountedAndNamed() {
        try (Holdfast holdfast = Holdfast.builder()
                        .connector(JedisConnector.connect(RedisAddress.parse(redis.uri())))
                        .build();
                Lease first = holdfast.tryLock("eternal", Duration.ofMinutes(1)).orElseThrow();
                Lease second =
                        holdfast.tryLock("overlong", Duration.ofMinutes(1)).orElseThrow()) {
            admin.ask("SET", "holdfast:cache:1", "not a lock");
            assertThat(looked("keys")).startsWith("ok").contains("2 keys");

            admin.ask("PERSIST", "holdfast:lock:eternal");
            admin.ask("PEXPIRE", "holdfast:lock:overlong", "120000");
            assertThat(looked("keys"))
                    .startsWith("warn")
                    .contains("1 without a TTL, e.g. holdfast:lock:eternal")
                    .contains("1 with a TTL longer than allowed")
                    .contains("e.g. holdfast:lock:overlong");
        }
        admin.ask("SET", "holdfast:lock:foreign", "x");
        admin.ask("ZADD", "holdfast:queue:holdfast:lock:a", "1", "x");
        assertThat(looked("keys"))
                .startsWith("warn")
                .contains("1 without a TTL, e.g. holdfast:queue:holdfast:lock:a")
                .contains("1 without a TTL and not Holdfast's, which nothing frees, e.g. holdfast:lock:foreign");
    }

    @Test
    void keys_tooMany_areNotAllLookedAt() {
        admin.ask("EVAL", "for i = 1, 5000 do redis.call('SET', 'holdfast:lock:' .. i, 'x', 'PX', 60000) end", "0");
        assertThat(looked("keys")).startsWith("ok").contains("there are more");
    }

    @Test
    void prefix_isTheApplications() {
        admin.ask("SET", "shop[1]:lock:a", "x");
        admin.ask("SET", "shop1:lock:b", "x");
        assertThat(DoctorRun.of(redis, "--read-only", "--prefix", "shop[1]").line("keys"))
                .contains("1 without", "shop[1]:lock:a");
        assertThat(DoctorRun.of(redis, "--prefix", "").exitCode()).isZero();
    }

    @Test
    void fenceCounter_aheadOfTheClock_warns_andOfAnotherType_fails() {
        assertThat(looked("clock")).startsWith("ok").contains("nothing depends on this machine's clock");
        admin.ask("SET", "holdfast:fence", "9794779587732707");
        assertThat(looked("clock")).startsWith("warn").contains("must have stepped back");
        admin.ask("DEL", "holdfast:fence");
        admin.ask("ZADD", "holdfast:fence", "1", "x");
        assertThat(looked("clock")).startsWith("FAIL").endsWith("DEL holdfast:fence");
    }

    @Test
    void guide_showsWhatIsPrinted() throws IOException {
        config("appendonly", "no");
        config("maxmemory", "1073741824");
        config("maxmemory-policy", "volatile-lru");
        String text = Files.readString(DoctorRun.docs().resolve("doctor.md"));

        String printed = DoctorRun.of(redis).out().strip().replace(redis.host(), "localhost");
        assertThat(withoutNumbers(text)).contains(withoutNumbers(printed));
    }

    private static String withoutNumbers(String text) {
        return text.replaceAll(" (behind|ahead of) this", " beside this").replaceAll("\\d+([.,:]\\d+)*", "#");
    }

    private static String looked(String check) {
        return DoctorRun.of(redis, "--read-only").line(check);
    }

    private static void config(String setting, String value) {
        admin.ask("CONFIG", "SET", setting, value);
    }

    private static String used() {
        return field("memory", "used_memory:");
    }

    private static long writes() {
        return Long.parseLong(field("persistence", "rdb_changes_since_last_save:"));
    }

    private static String field(String section, String name) {
        return String.valueOf(admin.ask("INFO", section))
                .lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow()
                .substring(name.length());
    }

    private static String contents() {
        return String.valueOf(admin.ask(
                "EVAL",
                "local all = {} local keys = redis.call('KEYS', '*') table.sort(keys)"
                        + " for i, key in ipairs(keys) do all[i] = key .. redis.sha1hex(redis.call('DUMP', key)) end"
                        + " return all",
                "0"));
    }
}
