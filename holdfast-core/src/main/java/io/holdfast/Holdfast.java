// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entry point: a {@link LockManager} and the one thing to close. Build one per process and share it.
 *
 * <pre>{@code
 * try (Holdfast locks = Holdfast.connect("redis://localhost:6379")) {
 *     locks.withLock("order:42", Duration.ofSeconds(10), () -> pay(42));
 * }
 * }</pre>
 *
 * <p><b>What to close.</b> Only this. It closes the Redis client it made itself ({@code connect}, {@code builder().uri}), and
 * never one the application handed in through a connector. Leases close themselves with {@code try (Lease lease = …)}.
 *
 * <p>Building does no I/O: a server that is down is told by the first lock.
 */
public final class Holdfast implements LockManager, AutoCloseable {
    private final Engine engine;
    private final Overseer overseer;
    private final KeySpace keys;
    private final LockOptions defaults;
    private final Duration closeWait;
    private final @Nullable RedisConnector connector;
    private volatile LockOptions lastFixed;

    private Holdfast(Builder settings) {
        this.keys = new KeySpace(settings.keyPrefix, settings.lockSegment, settings.exactKeys);
        this.defaults = settings.defaults;
        this.closeWait = settings.closeWait;
        this.lastFixed = fixed(defaults, defaults.ttl(), DEFAULT_RETRY_INTERVAL);
        if (settings.backend == null) {
            prepare();
        }
        Tokens tokens = new Tokens(settings.note);
        Alarms alarms = new Alarms(settings.clock);
        LockBackend backend = settings.backend;
        if (backend == null) {
            RedisConnector chosen =
                    settings.connector != null ? settings.connector : Connectors.connect(settings.address);
            this.connector = chosen;
            Mailbox mailbox = new Mailbox(chosen, keys.channel(tokens.instance()), alarms, settings.clock);
            backend = new RedisBackend(chosen, mailbox);
        } else {
            this.connector = null;
        }
        List<LockListener> listeners = new ArrayList<>(List.of(new EventLog()));
        listeners.addAll(settings.listeners);
        this.engine = new Engine(backend, alarms, tokens, new Events(listeners));
        this.overseer = new Overseer(engine);
    }

    /** What the first lock will need, while the rest is built: a process that has just started has nothing ready. */
    private static void prepare() {
        Thread preparing = new Thread(
                () -> {
                    Tokens.processNote();
                    Script.ACQUIRE.prepare();
                },
                "holdfast-start");
        preparing.setDaemon(true);
        preparing.start();
    }

    /** {@code localhost:6379}, with the connector on the class path. */
    public static Holdfast connect() {
        return builder().build();
    }

    /**
     * A server by its URI, {@code redis[s]://[user][:password]@host[:port][/database][?timeout=2s]}, with the connector on
     * the class path.
     *
     * @throws IllegalArgumentException when the URI is none
     * @throws IllegalStateException when there is no connector on the class path, or more than one
     */
    public static Holdfast connect(String uri) {
        return builder().uri(uri).build();
    }

    /** For anything else. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Optional<Lease> tryLock(String key, Duration ttl, Duration wait, Duration retryInterval) {
        return fixed(key, ttl, retryInterval).tryAcquire(patience(wait));
    }

    @Override
    public void withLock(String key, Duration ttl, Duration wait, Duration retryInterval, Runnable block) {
        Limits.given("block", block);
        withLock(key, ttl, wait, retryInterval, () -> {
            block.run();
            return Boolean.TRUE;
        });
    }

    @Override
    public <T, X extends Exception> T withLock(
            String key, Duration ttl, Duration wait, Duration retryInterval, LockedCall<T, X> block) throws X {
        Limits.given("block", block);
        return LockedBlock.run((TokenLease) fixed(key, ttl, retryInterval).acquire(patience(wait)), block);
    }

    @Override
    public DistributedLock lock(String key) {
        return lock(key, defaults);
    }

    @Override
    public DistributedLock lock(String key, LockOptions options) {
        return new NamedLock(engine, keys.name(key), Limits.given("options", options));
    }

    @Override
    public DistributedLock lock(String key, Consumer<LockOptions.Builder> changes) {
        LockOptions.Builder builder = defaults.toBuilder();
        Limits.given("changes", changes).accept(builder);
        return lock(key, builder.build());
    }

    @Override
    public LockInfo inspect(String key) {
        return overseer.inspect(keys.name(key));
    }

    /**
     * Takes a lock from whoever holds it, for an operator who knows that its holder will not give it back. The next in the queue
     * gets it. The holder learns at its next renewal, or when its lease ends, and may be at work until then: only what checks
     * fencing tokens is safe from it. A key that is no string is left alone.
     *
     * @return whom it was taken from; empty when nobody held it, or it changed hands in this very moment
     * @throws LockBackendException when Redis could not be asked; the lock may have been taken
     */
    public Optional<LockInfo.Holder> forceRelease(String key) {
        return overseer.forceRelease(keys.name(key), OptionalLong.empty());
    }

    /**
     * Like {@link #forceRelease(String)}, but only from the grant with that fencing token, as {@link #inspect} told it; 0 for one
     * that has none, as a lock without fencing or of another library.
     */
    public Optional<LockInfo.Holder> forceRelease(String key, long fencingToken) {
        return overseer.forceRelease(keys.name(key), OptionalLong.of(fencingToken));
    }

    /**
     * A small store of values that refuse stale writers, on the same server.
     *
     * @throws IllegalStateException when this runs on no Redis
     */
    public FencedStore fencedStore() {
        if (connector == null) {
            throw new IllegalStateException(
                    "a fenced store needs Redis; this Holdfast runs " + engine.redis.endpoint());
        }
        return new FencedStore(connector, engine);
    }

    /**
     * What the server does when its memory is full: it may drop a lock that is held. Blocks for one {@code INFO memory}; empty
     * when the server does not tell, because it is down or an ACL forbids it, and when this runs on no Redis.
     */
    public Optional<Eviction> eviction() {
        return connector == null ? Optional.empty() : overseer.eviction(connector);
    }

    /**
     * Whether others in vain send word to this process, so that those who wait poll and get their locks later; false before the
     * first acquire. No I/O.
     */
    public boolean isDeaf() {
        return engine.isDeaf();
    }

    /** The leases this process holds now, as {@link #heldLeases()}, but for those it only keeps for the next one. No I/O. */
    public List<HeldLease> held() {
        return overseer.held();
    }

    /** Who is acquiring right now in this process, most of them waiting. No I/O. */
    public List<WaitingAcquire> waiting() {
        return overseer.waiting();
    }

    /** How many leases this process holds now. No I/O. */
    public int heldLeases() {
        return engine.keeper.size();
    }

    /** How many callers in this process are acquiring right now, most of them waiting. No I/O. */
    public int waitingAcquires() {
        return engine.waiting.size();
    }

    /**
     * Stops: callers that wait fail, holders get a moment to finish ({@link Builder#closeWait}), leases still held then are
     * lost to their holders and end with their TTL. Closes the client it made. Blocks for that moment at most.
     */
    @Override
    public void close() {
        if (!engine.isClosed()) {
            engine.close(closeWait);
            engine.redis.close();
        }
    }

    @Override
    public String toString() {
        return "Holdfast[" + engine.redis.endpoint() + (engine.isClosed() ? ", closed]" : "]");
    }

    private NamedLock fixed(String key, Duration ttl, Duration retryInterval) {
        LockOptions options = lastFixed; // applications use few TTLs, and one after the other
        if (!options.ttl().equals(ttl) || !options.retryInterval().equals(retryInterval)) {
            options = fixed(defaults, ttl, retryInterval);
            lastFixed = options;
        }
        return new NamedLock(engine, keys.name(key), options);
    }

    private static LockOptions fixed(LockOptions defaults, Duration ttl, Duration retryInterval) {
        return defaults.toBuilder()
                .ttl(ttl)
                .renew(false)
                .retryInterval(retryInterval)
                .build();
    }

    private static Patience patience(Duration wait) {
        return Limits.notNegative("wait", wait).isZero() ? Patience.once() : Patience.upTo(wait);
    }

    /** Collects settings. Not thread-safe. */
    public static final class Builder {
        private RedisAddress address = RedisAddress.local();
        private @Nullable RedisConnector connector;
        private @Nullable LockBackend backend;
        private String keyPrefix = "holdfast";
        private String lockSegment = "lock";
        private boolean exactKeys;
        private LockOptions defaults = LockOptions.defaults();
        private final List<LockListener> listeners = new ArrayList<>();
        private Duration closeWait = Duration.ofSeconds(2);
        private MonotonicClock clock = MonotonicClock.SYSTEM;
        private @Nullable String note;

        private Builder() {}

        /** A server by its URI; see {@link Holdfast#connect(String)}. */
        public Builder uri(String uri) {
            address = RedisAddress.parse(uri);
            return this;
        }

        /** A server by its parts. */
        public Builder address(RedisAddress value) {
            address = Limits.given("address", value);
            return this;
        }

        /** A client set up by hand, or the application's own: {@code JedisConnector.using(pool)}. */
        public Builder connector(RedisConnector value) {
            connector = Limits.given("connector", value);
            return this;
        }

        /** Something other than a Redis server, as the test kit has. */
        public Builder backend(LockBackend value) {
            backend = Limits.given("backend", value);
            return this;
        }

        /** First part of every key, {@code holdfast} by default; empty leaves it out. */
        public Builder keyPrefix(String value) {
            keyPrefix = Limits.keyPart("keyPrefix", value);
            return this;
        }

        /** Second part of every lock key, {@code lock} by default; empty leaves it out. */
        public Builder lockSegment(String value) {
            lockSegment = Limits.keyPart("lockSegment", value);
            return this;
        }

        /** Lock keys are the business keys as they are: the same key then excludes other libraries. */
        public Builder exactKeys() {
            exactKeys = true;
            return this;
        }

        /** Options of {@link LockManager#lock(String)}, and what the methods with a TTL start from. */
        public Builder defaults(LockOptions value) {
            defaults = Limits.given("defaults", value);
            return this;
        }

        /** Told of everything that happens, beside the log. */
        public Builder listener(LockListener value) {
            listeners.add(Limits.given("listener", value));
            return this;
        }

        /** How long {@link Holdfast#close()} waits for holders; 2 s by default. */
        public Builder closeWait(Duration value) {
            closeWait = Limits.notNegative("closeWait", value);
            return this;
        }

        /** The clock; only tests need another. */
        public Builder clock(MonotonicClock value) {
            clock = Limits.given("clock", value);
            return this;
        }

        /** What others read about this holder, {@code host/pid} by default; printable ASCII. */
        public Builder note(String value) {
            note = Limits.notBlank("note", value);
            return this;
        }

        /**
         * Builds; no I/O.
         *
         * @throws IllegalStateException when a connector is to be found on the class path and there is none, or two
         */
        public Holdfast build() {
            return new Holdfast(this);
        }
    }
}
