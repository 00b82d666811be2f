// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/** Stands before a server and can stop passing on what it says, anywhere, also in the middle of a reply. */
final class TricklingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final String host;
    private final int port;
    /** How many bytes of what the server says may pass. */
    private final Semaphore allowed = new Semaphore(Integer.MAX_VALUE);

    private TricklingProxy(ServerSocket listener, String host, int port) {
        this.listener = listener;
        this.host = host;
        this.port = port;
    }

    static TricklingProxy before(String host, int port) {
        try {
            TricklingProxy proxy =
                    new TricklingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), host, port);
            start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String host() {
        return listener.getInetAddress().getHostAddress();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** So many bytes more, then nothing until it is told again. */
    void letThrough(int bytes) {
        allowed.drainPermits();
        allowed.release(bytes);
    }

    private void accept() throws IOException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            Socket server = new Socket(host, port);
            start(() -> pass(client, server, new Semaphore(Integer.MAX_VALUE)));
            start(() -> pass(server, client, allowed));
        }
    }

    private static void pass(Socket from, Socket to, Semaphore allowed) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            int read;
            while ((read = in.read(bytes)) >= 0) {
                for (int at = 0; at < read; ) {
                    int next = Math.max(1, Math.min(read - at, allowed.availablePermits()));
                    allowed.acquireUninterruptibly(next);
                    out.write(bytes, at, next);
                    at += next;
                }
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // one of the two has hung up
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
