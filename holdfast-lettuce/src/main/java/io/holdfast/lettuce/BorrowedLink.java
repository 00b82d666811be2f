// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;

/** The application's connection. It reconnects on its own, if the application wants that, or not at all. */
final class BorrowedLink implements Link {
    private final StatefulRedisConnection<?, ?> connection;

    BorrowedLink(StatefulRedisConnection<?, ?> connection) {
        this.connection = connection;
    }

    @Override
    public void dispatch(WireCommand wire) {
        if (connection.isOpen()) {
            Link.write(connection, wire);
        } else {
            // Lettuce would keep the command for after the reconnect, when nobody waits for it any more.
            wire.refuse("not connected at the moment");
        }
    }

    @Override
    public void close() {
        // the application's
    }
}
