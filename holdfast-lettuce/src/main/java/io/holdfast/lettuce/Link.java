// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.Lookout;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Collection;
import java.util.List;

/** How a command gets to a connection. Thread-safe; never blocks, except to close. */
interface Link {

    /** Hands the command to a connection, now or once there is one, or completes it exceptionally. Never throws. */
    void dispatch(WireCommand wire);

    void close();

    /** How a thread looks for the reply to a command it handed over here. */
    default Lookout lookout() {
        return Lookout.none();
    }

    /**
     * Writes to an open connection. Lettuce's type parameters say which codec the caller's keys and values need; a
     * {@link WireCommand} encodes itself, so a connection of any codec carries it.
     */
    @SuppressWarnings("unchecked")
    static void write(StatefulRedisConnection<?, ?> connection, WireCommand wire) {
        try {
            ((StatefulRedisConnection<byte[], byte[]>) connection).dispatch(wire);
        } catch (RuntimeException e) {
            wire.completeExceptionally(e); // the client was shut down
        }
    }

    /** The same for several, in one go. */
    static void write(StatefulRedisConnection<byte[], byte[]> connection, List<WireCommand> batch) {
        if (batch.size() == 1) {
            write(connection, batch.get(0));
            return;
        }
        try {
            Collection<?> unused = connection.dispatch(batch);
        } catch (RuntimeException e) {
            batch.forEach(wire -> wire.completeExceptionally(e)); // the client was shut down
        }
    }
}
