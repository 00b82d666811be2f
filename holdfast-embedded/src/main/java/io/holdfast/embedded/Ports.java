// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;

/**
 * Chooses the port to try at each attempt.
 *
 * <p>Not by asking the system for an ephemeral port: while a killed server waits for its restart, any outgoing
 * connection of the machine could be given that port. Ports below that range are only taken by listeners, and leave
 * room for the Cluster bus, which listens 10000 higher.
 */
final class Ports {
    private static final int LOWEST = 16_384;
    private static final int HIGHEST = 32_767;
    private static final int TRIES = 200;

    private Ports() {}

    static IntUnaryOperator choice(int wanted, String bind) {
        return wanted == 0 ? attempt -> free(bind) : attempt -> wanted;
    }

    static int free(String bind) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port, bind)) {
                return port;
            }
        }
        throw new IllegalStateException("found no free port on " + bind);
    }

    private static boolean isFree(int port, String bind) {
        try {
            InetAddress address = bind.equals("*") ? null : InetAddress.getByName(bind);
            new ServerSocket(port, 1, address).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
