// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscription;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * TLS, for every connector: always through a proxy, since the server that comes with the build has none; and by a server
 * itself, if there is one with TLS among those that the environment variable {@code HOLDFAST_TEST_SERVERS} lists (paths,
 * separated like a class path). Without, those tests are skipped and say so.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(ConnectorTlsContract.End.class)
@NullUnmarked
public abstract class ConnectorTlsContract {
    private static final String NOT_TESTED =
            "A SERVER'S OWN TLS IS NOT TESTED: set HOLDFAST_TEST_SERVERS to a server with TLS";
    private static final String STORE = "javax.net.ssl.trustStore";
    private static final String STORE_PASSWORD = "javax.net.ssl.trustStorePassword";

    @TempDir
    private static Path folder;

    private static TlsFiles files;
    private static @Nullable EmbeddedRedis server;
    private static @Nullable TlsProxy proxy;
    private static int port;

    /** Where TLS ends. */
    enum End {
        AT_A_PROXY,
        AT_THE_SERVER
    }

    @Parameter
    End end;

    /** For subclasses. */
    protected ConnectorTlsContract() {}

    /** Makes a connector that owns its client. */
    protected abstract RedisConnector connect(RedisAddress address);

    /** Whether a trusted certificate must be for the host that is called; a client of the application's may not care. */
    protected boolean checksHost() {
        return true;
    }

    @BeforeAll
    static void makeFiles() throws IOException, InterruptedException, GeneralSecurityException {
        files = TlsFiles.create(folder);
    }

    @BeforeParameterizedClassInvocation
    static void start(End end) throws IOException, GeneralSecurityException {
        if (end == End.AT_A_PROXY) {
            EmbeddedRedis plain = EmbeddedRedis.start();
            server = plain;
            proxy = TlsProxy.before(new InetSocketAddress(plain.host(), plain.port()), files);
            port = proxy.port();
            return;
        }
        List<Path> servers = servers();
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < servers.size() && server == null; i++) {
            server = start(servers.get(i), failures);
        }
        if (server == null) {
            String why = servers.isEmpty() ? NOT_TESTED : NOT_TESTED + "; these have none: " + failures;
            System.err.println(why); // Surefire only counts what is skipped
            Assumptions.abort(why);
        }
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        if (proxy != null) {
            proxy.close();
            proxy = null;
        }
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @AfterEach
    final void forgetTrust() {
        System.clearProperty(STORE);
        System.clearProperty(STORE_PASSWORD);
    }

    @Test
    void trustedCertificateForThisHost_works() {
        trust();
        try (RedisConnector connector = connect(address("localhost"))) {
            assertThat(connector.endpoint()).isEqualTo("rediss://localhost:" + port);
            assertThat(call(connector, "SET", "k", "through TLS")).isEqualTo("OK");
            assertThat(call(connector, "GET", "k")).isEqualTo("through TLS");
        }
    }

    @Test
    void subscription_goesThroughTlsToo() throws Exception {
        trust();
        SubscriberRecorder heard = new SubscriberRecorder();
        try (RedisConnector connector = connect(address("localhost"));
                Subscription subscription = connector.subscribe("channel", heard)) {
            await().atMost(20, TimeUnit.SECONDS).until(() -> heard.words().contains(SubscriberRecorder.SUBSCRIBED));
            subscription.ping().toCompletableFuture().get(20, TimeUnit.SECONDS);
            call(connector, "PUBLISH", "channel", "through TLS");
            await().atMost(20, TimeUnit.SECONDS).until(() -> heard.messages().equals(List.of("through TLS")));
        }
    }

    @Test
    void trustedCertificateForAnotherHost_isRefusedIfHostsAreChecked() {
        trust();
        try (RedisConnector connector = connect(address("127.0.0.1"))) {
            if (checksHost()) {
                assertRefused(connector);
            } else {
                assertThat(call(connector, "SET", "k", "1")).isEqualTo("OK");
            }
        }
    }

    @Test
    void untrustedCertificate_isRefused() {
        try (RedisConnector connector = connect(address("localhost"))) {
            assertRefused(connector);
        }
    }

    @Test
    void plainServer_isRefused() {
        trust();
        try (RedisConnector connector =
                connect(new RedisAddress("localhost", plainPort(), null, null, 0, true, Duration.ofSeconds(1)))) {
            assertRefused(connector);
        }
    }

    private void assertRefused(RedisConnector connector) {
        assertThat(catchThrowable(() -> call(connector, "SET", "leaked", "1")).getCause())
                .isInstanceOfSatisfying(
                        RedisConnectionException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
        try (RawRedis raw = new RawRedis("127.0.0.1", plainPort())) {
            assertThat(raw.exists("leaked")).isFalse();
        }
    }

    private static @Nullable Object call(RedisConnector connector, String... words) {
        return connector
                .send(RedisCommand.keyed(words))
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private RedisAddress address(String host) {
        return new RedisAddress(host, port, null, null, 0, true, Duration.ofSeconds(20));
    }

    private static int plainPort() {
        return Objects.requireNonNull(server).port();
    }

    /** What an operator does with {@code -Djavax.net.ssl.trustStore}. */
    private void trust() {
        System.setProperty(STORE, files.store().toString());
        System.setProperty(STORE_PASSWORD, TlsFiles.PASSWORD);
    }

    private static @Nullable EmbeddedRedis start(Path executable, List<String> failures) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try {
            return EmbeddedRedis.builder()
                    .server(executable)
                    .setting("tls-port", String.valueOf(port))
                    .setting("tls-cert-file", files.certificate().toString())
                    .setting("tls-key-file", files.key().toString())
                    .setting("tls-ca-cert-file", files.certificate().toString())
                    .setting("tls-auth-clients", "no")
                    .start();
        } catch (IllegalStateException e) {
            failures.add(executable.getFileName() + ": " + e.getMessage());
            return null;
        }
    }

    private static List<Path> servers() {
        String listed = System.getenv("HOLDFAST_TEST_SERVERS");
        return Stream.of((listed == null ? "" : listed).split(File.pathSeparator))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .filter(Files::isExecutable)
                .toList();
    }
}
