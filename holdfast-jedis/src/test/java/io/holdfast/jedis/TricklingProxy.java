// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Stands before a server and can stop passing on what it says, anywhere, also in the middle of a reply. */
final class TricklingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final String host;
    private final int port;
    /** How many bytes the server may still say. */
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

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

    /** So many bytes more, then nothing. */
    void letThrough(int bytes) {
        left.set(bytes);
    }

    private void accept() throws IOException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            Socket server = new Socket(host, port);
            start(() -> pass(client, server, new AtomicLong(Long.MAX_VALUE)));
            start(() -> pass(server, client, left));
        }
    }

    private static void pass(Socket from, Socket to, AtomicLong allowed) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            int read;
            while ((read = in.read(bytes)) >= 0) {
                out.write(bytes, 0, (int) Math.min(read, allowed.get()));
                int passed = read;
                allowed.updateAndGet(n -> n == Long.MAX_VALUE ? n : Math.max(0, n - passed));
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
