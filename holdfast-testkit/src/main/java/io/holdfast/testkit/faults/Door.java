// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** Where clients come in, for as long as it is open. */
final class Door {
    private static final long PATIENCE_SECONDS = 1;

    private final ServerSocket socket;
    private final Thread keeper;

    /** What to do with a client. */
    interface Welcome {
        void receive(Socket client, Door through) throws IOException;
    }

    private Door(ServerSocket socket, Welcome welcome) {
        this.socket = socket;
        this.keeper = new Thread(() -> keep(welcome), "holdfast-faulty-proxy-door");
        keeper.setDaemon(true);
    }

    static Door open(InetSocketAddress address, Welcome welcome) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true); // besides the reservation
            socket.bind(address);
            Door door = new Door(socket, welcome);
            door.keeper.start();
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address, e);
        }
    }

    /** Returns when clients are refused: the system goes on accepting them while a thread still waits for one. */
    void close() {
        try {
            socket.close();
            TimeUnit.SECONDS.timedJoin(keeper, PATIENCE_SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keep(Welcome welcome) {
        try {
            for (; ; ) {
                welcome.receive(socket.accept(), this);
            }
        } catch (IOException e) {
            // It was closed.
            return;
        }
    }
}
