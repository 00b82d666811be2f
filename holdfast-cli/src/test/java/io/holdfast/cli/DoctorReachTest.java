// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says when it can't begin: one line, exit code 2, no password. */
class DoctorReachTest {
    private static final String SECRET = "hunter2";

    @TempDir
    Path temporary;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            doctor --strct                          | Possible solutions: --strict
            doctor --reds redis://:hunter2@h        | Possible solutions: --redis
            doctor --prefx shop                     | Possible solutions: --prefix
            doctor --read-onyl                      | --read-only
            doctr                                   | Did you mean: holdfast doctor
            doctor --prefix                         | Missing required parameter for option '--prefix'
            doctor redis://:hunter2@h               | Unmatched argument
            doctor --redis http://:hunter2@h        | a Redis URI starts with redis://
            doctor --prefix=%00                     | --prefix:
            doctor --redis redis://:hunter2@127.0.0.1:1 | no answer from redis://127.0.0.1:1: Connection refused
            """)
    void wrongUse_saysWhatIsWrongInALine_andExits2(String line, String message) {
        refused(DoctorRun.run(line.replace("%00", "\0").split(" ", -1)), message);
    }

    @Test
    void help_namesEveryOption() {
        DoctorRun help = DoctorRun.run("doctor", "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("--redis", "--prefix", "--read-only", "--strict", "Exit codes:");
        assertThat(DoctorRun.run("--help").out()).contains("doctor");
    }

    @Test
    void wrongPassword_orNone_isSaid() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password("right").start()) {
            String place = redis.host() + ":" + redis.port();
            refused(DoctorRun.as("redis://:" + SECRET + "@" + place), "WRONGPASS");
            refused(DoctorRun.as("redis://nobody:" + SECRET + "@" + place), "WRONGPASS");
            refused(DoctorRun.as("redis://" + place), "; put the password into REDISCLI_AUTH");
        }
    }

    @Test
    void rightPassword_isTakenFromTheEnvironment_andNotShown() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password(SECRET).start()) {
            String uri = "redis://" + redis.host() + ":" + redis.port();
            Command doctor = Command.run(
                    temporary, Map.of(Redis.PASSWORD_VARIABLE, SECRET), "doctor", "--redis", uri + DoctorRun.PATIENCE);
            assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out() + doctor.err()).contains(uri).doesNotContain(SECRET);
        }
    }

    @Test
    void tls_whereThereIsNone_isSaid() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            refused(
                    DoctorRun.as("rediss://:" + SECRET + "@" + redis.host() + ":" + redis.port() + "?timeout=500ms"),
                    "the server may not speak TLS (try redis://)");
        }
    }

    @Test
    void peerThatHangsUp_asATlsServerDoes_isSaid() throws IOException {
        try (ServerSocket server = answering("")) {
            refused(
                    DoctorRun.as("redis://127.0.0.1:" + server.getLocalPort()),
                    "the server may expect TLS (try rediss://)");
        }
    }

    @Test
    void peerThatIsNotRedis_isSaid() throws IOException {
        try (ServerSocket server = answering("HTTP/1.1 400 Bad Request\r\n\r\n")) {
            refused(DoctorRun.as("redis://127.0.0.1:" + server.getLocalPort()), "what answers there is not Redis");
        }
    }

    @Test
    void peerThatSaysNothing_isGivenUp() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refused(
                    DoctorRun.as("redis://127.0.0.1:" + server.getLocalPort() + "?timeout=200ms"),
                    "no answer from redis://127.0.0.1");
        }
    }

    private static void refused(DoctorRun run, String message) {
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.err()).contains(message).doesNotContain(SECRET).doesNotContain("\tat ");
        assertThat(run.err().lines().count()).isLessThanOrEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    /** Reads what comes first, says this and hangs up; until it is closed. */
    private static ServerSocket answering(String answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread listener = new Thread(() -> {
            while (!server.isClosed()) {
                answer(server, answer);
            }
        });
        listener.setDaemon(true);
        listener.start();
        return server;
    }

    private static void answer(ServerSocket server, String answer) {
        try (Socket peer = server.accept()) {
            assertThat(peer.getInputStream().read(new byte[4096])).isPositive();
            peer.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return; // the peer has gone, or the test is over
        }
    }
}
