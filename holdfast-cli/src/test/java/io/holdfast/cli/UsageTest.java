// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {
    private static final String SECRET = "hunter2";

    @TempDir
    Path temporary;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            demo --secnds 6                       | Possible solutions: --seconds
            demos                                 | Did you mean: holdfast demo
            demo --seconds soon                   | Invalid value for option '--seconds'
            demo --seconds 5                      | --seconds must be 6 to 600, was 5
            demo --workers 1                      | --workers must be 2 to 20, was 1
            demo --locks 0                        | --locks must be 1 to 50, was 0
            demo --redis http://:hunter2@h        | a Redis URI starts with redis://
            demo --redis redis://:hun_hunter2%@h  | not a Redis URI
            demo --redis redis://:hunter2@h/x     | database number
            demo redis://:hun@ter2:hunter2@h      | redis://***@h
            demo --reds=redis://:hunter2@h        | Possible solutions: --redis
            torture --minuts 1                    | Possible solutions: --minutes
            torture --minutes 0                   | --minutes must be 0.1 to 600, was 0.0
            torture --workers 1                   | --workers must be 2 to 16, was 1
            torture --slack 0                     | --slack must be 0.1 to 60, was 0.0
            torture --connector redisson          | --connector must be jedis, lettuce or both, was 'redisson'
            torture --faults cut,earthquake       | --faults: there is no fault 'earthquake'
            inspect                               | Missing required parameter: 'KEY'
            inspect a --redis redis://127.0.0.1:1 | no answer from redis://127.0.0.1:1: Connection refused
            demo --redis redis://:hunter2@127.0.0.1:1 | no answer from redis://127.0.0.1:1: Connection refused
            """)
    void wrongUse_saysWhatIsWrongInALine_andExits2(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message).doesNotContain(SECRET).doesNotContain("\tat ");
        assertThat(err.toString().lines().count()).isLessThanOrEqualTo(2);
    }

    @Test
    void noCommand_pointsToTheHelp() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("holdfast --help");
    }

    @Test
    void verbose_showsTheStackTrace_withoutThePassword() {
        assertThat(run("inspect", "-v", "a", "--redis", "redis://:hunter2@127.0.0.1:1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("\tat ").doesNotContain(SECRET);
    }

    @Test
    void help_namesEveryOptionAndNoHiddenOne() {
        assertThat(run("demo", "--help")).isZero();
        assertThat(out.toString())
                .contains("--redis", "--seconds", "--workers", "--locks", "--seed", "--history", "Exit codes:")
                .doesNotContain("skip-locks", "verbose");
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("demo", "inspect").doesNotContain("demo-worker");
    }

    @Test
    void historyFolderInUse_isRefused() throws IOException {
        assertThat(temporary.resolve("old").toFile().createNewFile()).isTrue();
        assertThat(run("demo", "--history", temporary.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("is not empty");
    }

    @Test
    void wrongPassword_saysSo_andShowsNone() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password("right").start()) {
            String login = "redis://:" + SECRET + "@" + redis.host() + ":" + redis.port();
            assertThat(run("demo", "--redis", login)).isEqualTo(2);
            assertThat(err.toString()).contains("WRONGPASS").doesNotContain(SECRET, "\tat ");
            assertThat(run("inspect", "a", "--redis", "redis://" + redis.host() + ":" + redis.port()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("NOAUTH");
        }
    }

    @Test
    void inspect_saysWhoHoldsTheLock_loggedInByTheEnvironment() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password(SECRET).start();
                Holdfast holdfast = Holdfast.builder()
                        .connector(JedisConnector.connect(RedisAddress.parse(redis.uri())))
                        .keyPrefix("shop")
                        .note("till-7/42")
                        .build();
                Lease lease =
                        holdfast.tryLock("order:42", Duration.ofMinutes(1)).orElseThrow()) {
            Map<String, String> password = Map.of(Redis.PASSWORD_VARIABLE, SECRET);
            String uri = "redis://" + redis.host() + ":" + redis.port();
            Command held = Command.run(temporary, password, "inspect", "order:42", "--redis", uri, "--prefix", "shop");
            assertThat(held.exitCode()).as(held.err()).isZero();
            assertThat(held.out())
                    .contains("order:42 is held by till-7/42")
                    .containsPattern("TTL left +5\\d,\\d{3} ms")
                    .contains("fencing token  " + lease.fencingToken())
                    .containsPattern("waiting +nobody")
                    .doesNotContain(lease.token());
            Command free = Command.run(temporary, password, "inspect", "order:42", "--redis", uri);
            assertThat(free.out()).startsWith("order:42 is free");
            Command exact =
                    Command.run(temporary, password, "inspect", "shop:lock:order:42", "--exact-keys", "--redis", uri);
            assertThat(exact.out()).startsWith("shop:lock:order:42 is held by till-7/42");
        }
    }

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
