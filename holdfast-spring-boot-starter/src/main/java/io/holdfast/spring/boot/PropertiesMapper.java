// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands properties to the core's builders, which check them, and says which property it was that they refused. */
final class PropertiesMapper {
    private PropertiesMapper() {}

    static void apply(HoldfastProperties from, Holdfast.Builder to) {
        set("holdfast.key-prefix", from.keyPrefix(), to::keyPrefix);
        set("holdfast.lock-segment", from.lockSegment(), to::lockSegment);
        set("holdfast.note", from.note(), to::note);
        set("holdfast.close-wait", from.closeWait(), to::closeWait);
        if (from.exactKeys()) {
            to.exactKeys();
        }
        to.defaults(options(from.defaults()));
    }

    static LockOptions options(HoldfastProperties.Defaults from) {
        LockOptions.Builder to = LockOptions.builder();
        lease(from, to);
        waiting(from, to);
        to.fencing(from.fencing());
        to.onUnavailable(from.onUnavailable());
        to.interruptOnLoss(from.interruptOnLoss());
        set("holdfast.defaults", to, LockOptions.Builder::build); // what only shows when all are there
        return to.build();
    }

    private static void lease(HoldfastProperties.Defaults from, LockOptions.Builder to) {
        set("holdfast.defaults.ttl", from.ttl(), to::ttl);
        set("holdfast.defaults.tolerance", from.tolerance(), to::tolerance);
        set("holdfast.defaults.max-ttl", from.maxTtl(), to::maxTtl);
        set("holdfast.defaults.renew", from.renew(), to::renew);
        set("holdfast.defaults.renew-ratio", from.renewRatio(), to::renewRatio);
        set("holdfast.defaults.renew-every", from.renewEvery(), to::renewEvery);
        set("holdfast.defaults.max-hold", from.maxHold(), to::maxHold);
        set("holdfast.defaults.limit", from.limit(), to::limit);
    }

    private static void waiting(HoldfastProperties.Defaults from, LockOptions.Builder to) {
        set("holdfast.defaults.wait", from.maxWait(), to::wait);
        set("holdfast.defaults.max-attempts", from.maxAttempts(), to::maxAttempts);
        set("holdfast.defaults.retry-interval", from.retryInterval(), to::retryInterval);
        set("holdfast.defaults.jitter", from.jitter(), to::jitter);
        set("holdfast.defaults.fair", from.fair(), to::fair);
        set("holdfast.defaults.retain", from.retain(), to::retain);
        set("holdfast.defaults.hand-over-turns", from.handOverTurns(), to::handOverTurns);
        set("holdfast.defaults.hand-over-time", from.handOverTime(), to::handOverTime);
    }

    static RedisAddress address(String uri) {
        try {
            return RedisAddress.parse(uri);
        } catch (IllegalArgumentException e) {
            throw HoldfastConfigurationException.ofProperty("holdfast.uri", e);
        }
    }

    private static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
        if (value != null) {
            try {
                setter.accept(value);
            } catch (IllegalArgumentException e) {
                throw HoldfastConfigurationException.ofProperty(property, e);
            }
        }
    }
}
