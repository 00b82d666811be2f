// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.LockState;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.ReleaseReply;
import io.holdfast.spi.ReleaseRequest;
import io.holdfast.spi.RenewRequest;
import io.holdfast.spi.Signals;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The in-memory store and the scripts answer alike: the same random verbs to both, every reply and key compared. */
@HoldfastTest
class StoresAgreeTest {
    private static final int ROUNDS = 30;
    private static final int STEPS = 40;
    private static final List<Integer> TTLS = List.of(60_000, 120_000, 240_000); // nothing runs out meanwhile
    private static final List<String> FOREIGN = List.of("of-another-library", "uuid:17", "a#12");

    private static final Signals DEAF = new Signals() {
        @Override
        public void granted(String id) {}

        @Override
        public void handedOver(String id, AcquireReply.Granted grant) {}

        @Override
        public void wanted(String id) {}

        @Override
        public void interrupted() {}
    };

    private final Random random = new Random(7);
    private final LockName name = new KeySpace("holdfast", "lock", false).name("order:42");
    private final Tokens tokens = new Tokens("host-a/4711");

    @Test
    void randomVerbs_getTheSameAnswersFromBoth(RedisAddress address, EmbeddedRedis server) {
        JedisConnector connector = JedisConnector.connect(address);
        try (RawRedis raw = new RawRedis(server.host(), server.port());
                Alarms alarms = new Alarms(MonotonicClock.SYSTEM);
                LockBackend redis = new RedisBackend(connector, mailbox(connector, alarms))) {
            redis.listen(tokens.instance(), DEAF);
            await().until(() -> redis.listening() != 0);
            for (int round = 0; round < ROUNDS; round++) {
                raw.call("FLUSHALL");
                InMemoryBackend memory = new InMemoryBackend(MonotonicClock.SYSTEM);
                memory.listen(tokens.instance(), DEAF);
                List<Client> clients =
                        IntStream.range(0, 5).mapToObj(i -> new Client()).toList();
                StringBuilder story = new StringBuilder("round " + round);
                for (int step = 0; step < STEPS; step++) {
                    story.append('\n').append(step(raw, redis, memory, clients));
                    compareKeys(story, raw, memory);
                }
            }
        }
    }

    private Mailbox mailbox(JedisConnector connector, Alarms alarms) {
        return new Mailbox(
                connector,
                new KeySpace("holdfast", "lock", false).channel(tokens.instance()),
                alarms,
                MonotonicClock.SYSTEM);
    }

    /** Somebody who takes the lock, again and again with the same token, for an owner or none. */
    private final class Client {
        final int maxTtl = pick(TTLS);
        final String token = tokens.next(maxTtl + 1); // never to be handed over for good: only a server does that
        final String owner = pick(List.of("", "", "A", "B"));
        final boolean fenced = random.nextInt(4) > 0;
        final boolean fair = owner.isEmpty() && random.nextInt(4) == 0;
        boolean waits;

        String ownerOrNull() {
            return owner.isEmpty() ? null : owner;
        }

        AcquireRequest acquire() {
            waits |= random.nextBoolean();
            long ttl = Math.min(maxTtl, pick(TTLS));
            return new AcquireRequest(name, token, ttl, fenced ? 0 : -1, ownerOrNull(), 2, waits, fair);
        }
    }

    private String step(RawRedis raw, LockBackend redis, InMemoryBackend memory, List<Client> clients) {
        Client client = pick(clients);
        String who = Tokens.hint(client.token) + " " + client.owner;
        switch (random.nextInt(13)) {
            case 0, 1, 2, 3 -> {
                AcquireRequest request = client.acquire();
                return agree(
                        "acquire " + who + " " + request.ttlMillis() + (request.waits() ? " waits" : ""),
                        shown(join(redis.acquire(request))),
                        shown(join(memory.acquire(request))));
            }
            case 4, 5 -> {
                return agree(
                        "renew " + who,
                        renew(redis, client, raw.get(name.lockKey())),
                        renew(memory, client, memory.get(name.lockKey())));
            }
            case 6, 7 -> {
                How how = new How(
                        random.nextInt(4) > 0, random.nextInt(3) > 0, again(client), behind(), served(pick(clients)));
                return agree(
                        "release " + who + " " + how,
                        release(redis, client, raw.get(name.lockKey()), how),
                        release(memory, client, memory.get(name.lockKey()), how));
            }
            case 8 -> {
                return agree(
                        "abandon " + who,
                        join(redis.abandon(name, client.token, !client.owner.isEmpty())),
                        join(memory.abandon(name, client.token, !client.owner.isEmpty())));
            }
            case 9 -> {
                return agree("inspect", shown(join(redis.inspect(name))), shown(join(memory.inspect(name))));
            }
            case 10 -> {
                return end(raw, redis, memory);
            }
            case 11 -> {
                raw.call("DEL", name.lockKey());
                memory.delete(name.lockKey());
                return "DEL";
            }
            default -> {
                return set(raw, memory, client);
            }
        }
    }

    /** The grant that is there, or one that is not; at once or after a while. */
    private String end(RawRedis raw, LockBackend redis, InMemoryBackend memory) {
        String redisValue = raw.get(name.lockKey());
        String memoryValue = memory.get(name.lockKey());
        long after = random.nextBoolean() ? 0 : 30_000;
        boolean there = random.nextInt(4) > 0 && redisValue != null && memoryValue != null;
        return agree(
                "end " + after,
                join(redis.end(name, there ? redisValue : "no such value", after)),
                join(memory.end(name, there ? memoryValue : "no such value", after)));
    }

    /** What another library, or an administrator, puts there; also one of our own values with too long a life. */
    private String set(RawRedis raw, InMemoryBackend memory, Client client) {
        String value = random.nextInt(3) == 0 ? client.token : pick(FOREIGN);
        long ttl = random.nextInt(3) == 0 ? 0 : 500_000;
        if (ttl == 0) {
            raw.call("SET", name.lockKey(), value);
        } else {
            raw.call("SET", name.lockKey(), value, "PX", Long.toString(ttl));
        }
        memory.set(name.lockKey(), value, ttl);
        return "SET " + value + " " + ttl;
    }

    /** With the value in the store when it is this client's, as its lease would know it. */
    private Object renew(LockBackend backend, Client client, String stored) {
        long ttl = Math.min(client.maxTtl, pick(List.of(60_000, 60_000)));
        String value = client.owner.isEmpty() ? known(client, stored) : client.token;
        return join(backend.renew(List.of(new RenewRequest(name, value, client.ownerOrNull(), ttl))));
    }

    /** Ways to release. */
    private record How(
            boolean counted, boolean wanted, AcquireRequest again, List<String> behind, List<String> served) {}

    /** The place in the queue of one who is said to have had its turn; or nobody. */
    private List<String> served(Client client) {
        return random.nextBoolean() ? List.of(name.queueEntry(client.token, client.fenced, false)) : List.of();
    }

    /** Another token of the same process, which stands in the queue with the release; or nobody. */
    private AcquireRequest again(Client client) {
        return client.owner.isEmpty() && random.nextBoolean()
                ? new AcquireRequest(name, tokens.next(60_001), 60_000, client.fenced ? 0 : -1, null, 1, true, false)
                : null;
    }

    /** Two more of the same process, which stand in the queue right behind that one; or nobody. */
    private List<String> behind() {
        return random.nextBoolean()
                ? List.of(
                        name.queueEntry(tokens.next(60_001), true, false),
                        name.queueEntry(tokens.next(60_001), false, false))
                : List.of();
    }

    private Object release(LockBackend backend, Client client, String stored, How how) {
        AcquireRequest again = how.wanted ? how.again : null;
        ReleaseReply reply = join(backend.release(new ReleaseRequest(
                name,
                client.token,
                known(client, stored),
                client.ownerOrNull(),
                how.counted,
                how.wanted,
                again,
                !how.behind.isEmpty() || !how.served.isEmpty(),
                again == null ? List.of() : how.behind,
                how.wanted ? how.served : List.of())));
        return reply.released() + " " + (reply.again() == null ? "" : shown(reply.again()));
    }

    private static String known(Client client, String stored) {
        return stored != null && stored.startsWith(client.token) ? stored : client.token;
    }

    private void compareKeys(StringBuilder story, RawRedis raw, InMemoryBackend memory) {
        List<?> keys = (List<?>) raw.call("KEYS", "*");
        assertThat(new TreeSet<>(memory.keys()))
                .as("keys after %s", story)
                .isEqualTo(keys.stream().map(String::valueOf).collect(Collectors.toCollection(TreeSet::new)));
        assertThat(withoutFence(memory.get(name.lockKey())))
                .as("value after %s", story)
                .isEqualTo(withoutFence(raw.get(name.lockKey())));
        assertThat(roughly(memory.pttl(name.lockKey())))
                .as("life after %s", story)
                .isEqualTo(roughly(raw.pttl(name.lockKey())));
    }

    private static String agree(String what, Object redis, Object memory) {
        assertThat(memory).as(what).isEqualTo(redis);
        return what + " -> " + redis;
    }

    private static String shown(AcquireReply reply) {
        if (reply instanceof AcquireReply.Contended contended) {
            return "contended " + withoutFence(contended.value()) + " " + roughly(contended.ttlMillis());
        }
        return "granted " + (((AcquireReply.Granted) reply).fenceBase() > 0 ? "fenced" : "");
    }

    private static String shown(LockState state) {
        return state.held() + " " + withoutFence(state.value()) + " " + roughly(state.ttlMillis()) + " " + state.owner()
                + " " + state.holds() + " " + state.waiting();
    }

    private static String withoutFence(String value) {
        return Optional.ofNullable(value)
                .map(text -> text.replaceFirst("(~.*)#\\d+$", "$1#"))
                .orElse("none");
    }

    /** By half minutes, rounded: the two are asked some milliseconds apart, and lives differ by minutes. */
    private static long roughly(long millis) {
        return millis < 0 ? millis : (millis + 15_000) / 30_000;
    }

    private <T> T pick(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
