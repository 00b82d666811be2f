// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.HoldfastContender.Mode;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Who takes part, by the name it has on the command line and in the tables. */
enum Entry {
    HOLDFAST_JEDIS("holdfast-jedis", "holdfast-jedis"),
    HOLDFAST_JEDIS_UNFENCED("holdfast-jedis-unfenced", "holdfast-jedis"),
    HOLDFAST_JEDIS_FAIR("holdfast-jedis-fair", "holdfast-jedis"),
    HOLDFAST_JEDIS_RETAINED("holdfast-jedis-retained", "holdfast-jedis"),
    HOLDFAST_LETTUCE("holdfast-lettuce", "holdfast-lettuce"),
    HOLDFAST_LETTUCE_UNFENCED("holdfast-lettuce-unfenced", "holdfast-lettuce"),
    HOLDFAST_LETTUCE_FAIR("holdfast-lettuce-fair", "holdfast-lettuce"),
    HOLDFAST_LETTUCE_RETAINED("holdfast-lettuce-retained", "holdfast-lettuce"),
    REDISSON("redisson", "redisson"),
    REDISSON_FAIR("redisson-fair", "redisson"),
    SPRING_SPIN("spring-spin", "spring-integration-redis lettuce-core"),
    SPRING_PUBSUB("spring-pubsub", "spring-integration-redis lettuce-core"),
    HAND_JEDIS("hand-jedis", "jedis"),
    HAND_LETTUCE("hand-lettuce", "lettuce-core"),
    /** The negative control: only takes part when asked for, and must be found out. */
    UNLOCKED("unlocked", "");

    private final String label;
    private final String artifacts;

    Entry(String label, String artifacts) {
        this.label = label;
        this.artifacts = artifacts;
    }

    /** The one of that name. */
    static Entry named(String label) {
        return Choice.of("contender", label, List.of(values()));
    }

    /** Makes one; connects now or when first used. A plain switch: the time to the first grant must not pay for more. */
    Contender open(RedisAddress server) {
        return switch (this) {
            case HOLDFAST_JEDIS -> jedis(server, Mode.FENCED);
            case HOLDFAST_JEDIS_UNFENCED -> jedis(server, Mode.UNFENCED);
            case HOLDFAST_JEDIS_FAIR -> jedis(server, Mode.FAIR);
            case HOLDFAST_JEDIS_RETAINED -> jedis(server, Mode.RETAINED);
            case HOLDFAST_LETTUCE -> lettuce(server, Mode.FENCED);
            case HOLDFAST_LETTUCE_UNFENCED -> lettuce(server, Mode.UNFENCED);
            case HOLDFAST_LETTUCE_FAIR -> lettuce(server, Mode.FAIR);
            case HOLDFAST_LETTUCE_RETAINED -> lettuce(server, Mode.RETAINED);
            case REDISSON -> new RedissonContender(server, false);
            case REDISSON_FAIR -> new RedissonContender(server, true);
            case SPRING_SPIN -> new SpringContender(server, RedisLockType.SPIN_LOCK);
            case SPRING_PUBSUB -> new SpringContender(server, RedisLockType.PUB_SUB_LOCK);
            case HAND_JEDIS -> new HandWrittenJedis(server);
            case HAND_LETTUCE -> new HandWrittenLettuce(server);
            case UNLOCKED -> new Unlocked();
        };
    }

    /** Whether this build has what it needs. */
    boolean isBuilt() {
        return switch (this) {
            case HOLDFAST_JEDIS_FAIR, HOLDFAST_LETTUCE_FAIR ->
                Mode.FAIR.options().isPresent();
            case HOLDFAST_JEDIS_RETAINED, HOLDFAST_LETTUCE_RETAINED ->
                Mode.RETAINED.options().isPresent();
            default -> true;
        };
    }

    /** The artifacts an application names to get it. */
    List<String> artifacts() {
        return artifacts.isEmpty() ? List.of() : List.of(artifacts.split(" ", -1));
    }

    @Override
    public String toString() {
        return label;
    }

    private static Contender jedis(RedisAddress server, Mode mode) {
        return new HoldfastContender(JedisConnector.connect(server), mode);
    }

    private static Contender lettuce(RedisAddress server, Mode mode) {
        return new HoldfastContender(LettuceConnector.connect(server), mode);
    }

    /** Lets everybody in. */
    private static final class Unlocked implements Contender {
        @Override
        public Grant acquire(String key) {
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
