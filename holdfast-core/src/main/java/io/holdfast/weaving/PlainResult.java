// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.LockNotAcquiredException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A result that is there when the method returns. */
final class PlainResult implements ResultAdapter {
    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    @Override
    public boolean adapts(Class<?> result) {
        return true;
    }

    @Override
    public <T> @Nullable T run(Invocation<T> call) throws Throwable {
        Held held;
        try {
            held = call.take();
        } catch (LockNotAcquiredException busy) {
            return call.busy(busy);
        }
        T result = call.proceed(held);
        held.release(null);
        return result;
    }

    @Override
    public @Nullable Object skipped(Class<?> result) {
        if (result == boolean.class || result == Boolean.class) {
            return false;
        }
        return EMPTY.get(result);
    }
}
