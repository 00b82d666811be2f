// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * TLS in front of a server that has none, on a free port of the loopback interface. Thread-safe; its threads are daemons and
 * end with {@link #close()}.
 */
final class TlsProxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final SSLServerSocket door;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private TlsProxy(InetSocketAddress server, SSLServerSocket door) {
        this.server = server;
        this.door = door;
    }

    static TlsProxy before(InetSocketAddress server, TlsFiles files) throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(files.load(), TlsFiles.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        TlsProxy proxy = new TlsProxy(server, (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        proxy.start(proxy::accept);
        return proxy;
    }

    int port() {
        return door.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            open.add(client);
            start(() -> connect(client));
        }
    }

    /** Either side's end is the other's. */
    private void connect(Socket client) throws IOException {
        try (client;
                Socket inner = new Socket()) {
            client.setTcpNoDelay(true);
            inner.setTcpNoDelay(true);
            inner.connect(server);
            start(() -> {
                try (client) {
                    inner.getInputStream().transferTo(client.getOutputStream());
                }
            });
            client.getInputStream().transferTo(inner.getOutputStream());
        } finally {
            open.remove(client);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // one of the two has gone, or never trusted us
                    }
                },
                "tls-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
