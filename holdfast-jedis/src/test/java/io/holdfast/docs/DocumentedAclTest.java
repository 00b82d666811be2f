// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The permissions of docs/troubleshooting.md are enough for every verb, and none of them is one too many. */
@NullUnmarked
class DocumentedAclTest {
    /** Without these waiters poll, and nothing fails. */
    private static final List<String> PUB_SUB = List.of("+publish", "+subscribe");

    private static final Duration TTL = Duration.ofSeconds(10);

    private EmbeddedRedis redis;
    private RawRedis admin;

    @BeforeEach
    void start() {
        redis = EmbeddedRedis.start();
        admin = new RawRedis(redis.host(), redis.port());
    }

    @AfterEach
    void stop() {
        admin.close();
        redis.close();
    }

    @Test
    void documentedPermissions_allowEveryVerb() throws IOException {
        admin.call(documented().toArray(String[]::new));

        everyVerb();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void withoutOneOfThem_someVerbFails(String command) throws IOException {
        List<String> line = documented();
        line.remove(command);
        admin.call(line.toArray(String[]::new));

        // Inside a script, servers say it in a sentence.
        assertThatThrownBy(this::everyVerb)
                .isInstanceOf(LockException.class)
                .hasMessageMatching("(?s).*(NOPERM|can't run this command).*");
    }

    static Stream<String> commands() throws IOException {
        return documented().stream().filter(word -> word.startsWith("+") && !PUB_SUB.contains(word));
    }

    private void everyVerb() {
        String uri = "redis://holdfast:secret@" + redis.host() + ":" + redis.port();
        try (Holdfast locks =
                Holdfast.builder().uri(uri).closeWait(Duration.ZERO).build()) {
            plain(locks);
            owner(locks);
        }
    }

    private static void plain(Holdfast locks) {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        assertThat(locks.tryLock("order:1", TTL, Duration.ofMillis(300))).isEmpty();
        assertThat(lease.renew(TTL)).isTrue();
        assertThat(locks.inspect("order:1").isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
        assertThat(lease.release()).isFalse();
        assertThat(locks.tryLock("order:3", TTL).orElseThrow().releaseAfter(Duration.ofSeconds(5)))
                .isTrue();
        assertThat(locks.forceRelease("order:3")).isPresent();
    }

    private static void owner(Holdfast locks) {
        Function<String, Lease> acquire =
                id -> locks.lock("order:2", o -> o.ttl(TTL).owner(id)).acquire();
        Lease outer = acquire.apply("request-1");
        Lease inner = acquire.apply("request-1");
        assertThat(inner.renew(TTL)).isTrue();
        assertThat(locks.inspect("order:2").holder()).isNotNull();
        assertThat(inner.release()).isTrue();
        assertThat(outer.release()).isTrue();
    }

    private static List<String> documented() throws IOException {
        String text = Files.readString(DocsSnippetsTest.ROOT.resolve("docs/troubleshooting.md"));
        String line = text.lines()
                .filter(candidate -> candidate.startsWith("ACL SETUSER "))
                .findFirst()
                .orElseThrow();
        return new ArrayList<>(List.of(line.split(" ")));
    }
}
