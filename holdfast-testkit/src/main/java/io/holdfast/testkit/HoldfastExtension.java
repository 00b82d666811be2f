// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link HoldfastTest} turns on; use it with {@code @ExtendWith} when that suits better. */
public final class HoldfastExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(HoldfastExtension.class);
    private static final Set<Class<?>> TYPES =
            Set.of(Holdfast.class, LockManager.class, EmbeddedRedis.class, RedisAddress.class, URI.class);

    /** For JUnit. */
    public HoldfastExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        EmbeddedRedis server = server(test);
        if (type == EmbeddedRedis.class) {
            return server;
        }
        if (type == URI.class) {
            return URI.create(server.uri());
        }
        RedisAddress address = RedisAddress.parse(server.uri());
        return type == RedisAddress.class ? address : locks(test, address);
    }

    /** Brings a server back that the test killed or paused, and empties it. */
    @Override
    public void afterEach(ExtensionContext test) {
        EmbeddedRedis server = storeOf(test).get(EmbeddedRedis.class, EmbeddedRedis.class);
        if (server == null) {
            return;
        }
        if (server.isRunning()) {
            server.resume();
        } else {
            server.restart();
        }
        try (RawRedis redis = new RawRedis(server.host(), server.port())) {
            redis.call("FLUSHALL");
        }
    }

    private static Holdfast locks(ExtensionContext test, RedisAddress address) {
        return storeOf(test)
                .computeIfAbsent(
                        Holdfast.class,
                        unused -> Holdfast.builder()
                                .address(address)
                                .closeWait(Duration.ZERO)
                                .build(),
                        Holdfast.class);
    }

    /** Of the outermost class, so that nested ones share it. */
    private static EmbeddedRedis server(ExtensionContext test) {
        ExtensionContext shared = test;
        while (shared.getParent()
                .filter(parent -> parent.getTestClass().isPresent())
                .isPresent()) {
            shared = shared.getParent().get();
        }
        return storeOf(shared)
                .computeIfAbsent(EmbeddedRedis.class, unused -> EmbeddedRedis.start(), EmbeddedRedis.class);
    }

    private static Store storeOf(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
