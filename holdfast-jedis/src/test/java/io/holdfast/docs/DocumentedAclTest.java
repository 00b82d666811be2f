// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The permissions of docs/troubleshooting.md are enough for every verb, and none of them is one too many; what is said to be
 * only for some use is needed for that and for nothing else.
 */
@NullUnmarked
class DocumentedAclTest {
    /** Without these waiters poll, and nothing fails. */
    private static final List<String> PUB_SUB = List.of("+publish", "+subscribe");

    private static final Duration TTL = Duration.ofSeconds(10);

    /** By the name the page calls it by. */
    private static final Map<String, BiConsumer<DocumentedAclTest, Holdfast>> USES = Map.of(
            "fair locks", DocumentedAclTest::fair,
            "owner ids", DocumentedAclTest::owner,
            "inspect", DocumentedAclTest::inspect,
            "forceRelease", DocumentedAclTest::forceRelease,
            "FencedStore", DocumentedAclTest::fencedStore);

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
        allow(documented());

        everyVerb();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void withoutOneOfThem_someVerbFails(String command) throws IOException {
        List<String> line = documented();
        line.remove(command);
        allow(line);

        assertNotAllowed(this::everyVerb);
    }

    static Stream<String> commands() throws IOException {
        return documented().stream().filter(word -> word.startsWith("+") && !PUB_SUB.contains(word));
    }

    @Test
    void plainLocks_needNothingThatIsOnlyForSomeUse() throws IOException {
        List<String> line = documented();
        line.removeAll(onlyFor().keySet());
        allow(line);

        connected(this::plain);
    }

    @ParameterizedTest
    @MethodSource("uses")
    void use_needsWhatIsOnlyForItAndNothingThatIsOnlyForOthers(String use) throws IOException {
        Map<String, List<String>> onlyFor = onlyFor();
        List<String> line = documented();
        line.removeIf(word -> onlyFor.containsKey(word) && !onlyFor.get(word).contains(use));
        allow(line);
        connected(locks -> USES.get(use).accept(this, locks));

        for (String word : line.stream().filter(onlyFor::containsKey).toList()) {
            List<String> less = new ArrayList<>(line);
            less.remove(word);
            allow(less);
            assertNotAllowed(() -> connected(locks -> USES.get(use).accept(this, locks)));
        }
    }

    static Stream<String> uses() {
        return USES.keySet().stream().sorted();
    }

    @Test
    void uses_areThoseOfThePage() throws IOException {
        assertThat(onlyFor().values().stream().flatMap(List::stream))
                .containsAll(USES.keySet())
                .allMatch(USES::containsKey);
        assertThat(documented()).containsAll(onlyFor().keySet());
    }

    private void allow(List<String> line) {
        admin.call("ACL", "DELUSER", "holdfast");
        admin.call("FLUSHALL"); // what a run that was refused has left
        admin.call(line.toArray(String[]::new));
    }

    private void everyVerb() {
        connected(locks -> {
            plain(locks);
            owner(locks);
            inspect(locks);
            forceRelease(locks);
            fencedStore(locks);
            fair(locks); // last: one that may not join the queue polls, and waits here for others to join
        });
    }

    private void connected(Consumer<Holdfast> use) {
        String uri = "redis://holdfast:secret@" + redis.host() + ":" + redis.port();
        try (Holdfast locks =
                Holdfast.builder().uri(uri).closeWait(Duration.ZERO).build()) {
            use.accept(locks);
        }
    }

    private static void assertNotAllowed(ThrowingCallable call) {
        // Inside a script, servers say it in a sentence.
        assertThatThrownBy(call)
                .isInstanceOf(LockException.class)
                .hasMessageMatching("(?s).*(NOPERM|can't run this command).*");
    }

    private void plain(Holdfast locks) {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        assertThat(locks.tryLock("order:1", TTL, Duration.ofMillis(300))).isEmpty();
        assertThat(lease.renew(TTL)).isTrue();
        assertThat(lease.release()).isTrue();
        assertThat(lease.release()).isFalse();
        assertThat(locks.tryLock("order:2", TTL).orElseThrow().releaseAfter(Duration.ofSeconds(5)))
                .isTrue();
    }

    /** Taken at once, and by two of one process that stood in the queue. */
    private void fair(Holdfast locks) {
        Lease lease = locks.lock("order:3", o -> o.ttl(TTL).fair(true)).acquire();
        List<CompletableFuture<Boolean>> waiters = Stream.of("first", "second")
                .map(place -> locks.lock("order:3", o -> o.ttl(TTL).fair(true).wait(Duration.ofSeconds(30)))
                        .acquireAsync()
                        .thenApply(Lease::release))
                .toList();
        await().until(() -> admin.call("ZCARD", "holdfast:queue:holdfast:lock:order:3"), Long.valueOf(2)::equals);
        assertThat(lease.release()).isTrue();
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.join()).isTrue());
    }

    private void owner(Holdfast locks) {
        Function<String, Lease> acquire =
                id -> locks.lock("order:4", o -> o.ttl(TTL).owner(id)).acquire();
        Lease outer = acquire.apply("request-1");
        Lease inner = acquire.apply("request-1");
        assertThat(inner.renew(TTL)).isTrue();
        assertThat(inner.release()).isTrue();
        assertThat(outer.release()).isTrue();
    }

    private void inspect(Holdfast locks) {
        whileAnOwnerHolds(
                "order:5", () -> assertThat(locks.inspect("order:5").isHeld()).isTrue());
    }

    private void forceRelease(Holdfast locks) {
        whileAnOwnerHolds(
                "order:6", () -> assertThat(locks.forceRelease("order:6")).isPresent());
    }

    /** Who looks need not be one who may use owner ids. */
    private void whileAnOwnerHolds(String key, Runnable look) {
        try (Holdfast holder =
                Holdfast.builder().uri(redis.uri()).closeWait(Duration.ZERO).build()) {
            holder.lock(key, o -> o.ttl(TTL).owner("request-2")).acquire();
            look.run();
        }
    }

    private void fencedStore(Holdfast locks) {
        FencedStore store = locks.fencedStore();
        assertThat(store.set("holdfast:balance:42", "100", 2)).isTrue();
        assertThat(store.set("holdfast:balance:42", "90", 1)).isFalse();
        assertThat(store.get("holdfast:balance:42")).contains("100");
    }

    private static List<String> documented() throws IOException {
        String line = page().filter(candidate -> candidate.startsWith("ACL SETUSER "))
                .findFirst()
                .orElseThrow();
        return new ArrayList<>(List.of(line.split(" ")));
    }

    /** The uses of each permission that not everybody needs. */
    private static Map<String, List<String>> onlyFor() throws IOException {
        Map<String, List<String>> found = new HashMap<>();
        page().dropWhile(line -> !line.equals("| permissions | only for |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.replace("`", "").split(" *\\| *", -1))
                .forEach(cells ->
                        Stream.of(cells[1].split(" ")).forEach(word -> found.put(word, List.of(cells[2].split(", ")))));
        return found;
    }

    private static Stream<String> page() throws IOException {
        return Files.readString(DocsSnippetsTest.ROOT.resolve("docs/troubleshooting.md"))
                .lines();
    }
}
