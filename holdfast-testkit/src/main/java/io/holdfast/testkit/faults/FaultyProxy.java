// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bad network in front of one real server, for clients that are told this address instead of the server's: slow, half-open,
 * cut, or such that it loses just that reply. Everything can be changed while traffic goes on, and changed back. It
 * understands RESP2 and RESP3, pipelines and subscriptions, without TLS and without {@code CLIENT REPLY}. Thread-safe; its
 * threads are daemons and end with {@link #close()}.
 *
 * <pre>{@code
 * try (FaultyProxy network = FaultyProxy.before(redis.host(), redis.port());
 *         Holdfast locks = Holdfast.connect(network.uri())) {
 *     network.when(request -> request.get(0).equals("SET")).once().loseReply();
 *     …
 * }
 * }</pre>
 */
public final class FaultyProxy implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final InetSocketAddress server;
    /** Bound and never used: keeps the port while it is closed to clients, who are then refused. */
    private final Socket reservation = new Socket();

    private final InetSocketAddress address;

    private final Faults faults = new Faults();

    // Guarded by this.
    private final List<ProxiedConnection> connections = new ArrayList<>();
    private @Nullable Door door;
    private boolean closed;

    private FaultyProxy(InetSocketAddress server) {
        this.server = server;
        try {
            reservation.setReuseAddress(true);
            reservation.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException("no free port for a proxy", e);
        }
        this.address = new InetSocketAddress(reservation.getLocalAddress(), reservation.getLocalPort());
    }

    /** Starts a proxy on a free port of the loopback interface. The server need not be up yet. */
    public static FaultyProxy before(String host, int port) {
        FaultyProxy proxy = new FaultyProxy(new InetSocketAddress(host, port));
        proxy.heal();
        return proxy;
    }

    /** The address clients connect to. */
    public String host() {
        return address.getAddress().getHostAddress();
    }

    /** The port clients connect to; the same for the life of this object. */
    public int port() {
        return address.getPort();
    }

    /** The address as a URI, without a password. */
    public String uri() {
        return "redis://" + host() + ":" + port();
    }

    /** From now on each message of that way takes that long; {@link Delay#NONE} ends it. */
    public void delay(Way way, Delay delay) {
        faults.delays.put(way, delay);
    }

    /**
     * From now on nothing arrives that way, on no connection, and nobody is told: connections stay half-open. One that lost
     * something this way stays silent for good, as TCP never skips bytes; after {@link #heal()} new ones work.
     */
    public void drop(Way way) {
        faults.dropped.add(way);
    }

    /** A rule for the requests whose words fit, the command being the first of them. */
    public ProxyRule when(Predicate<List<String>> which) {
        return new ProxyRule(faults, which);
    }

    /** Forgets all rules; what is held back stays so. */
    public void calm() {
        faults.rules.clear();
    }

    /** How many requests are held back. */
    public int held() {
        return faults.held.size();
    }

    /**
     * Lets the requests that are held back go on, oldest first, and waits for the server's replies.
     *
     * @return the replies as they are on the wire; an empty one where the server did not answer within 10 s
     */
    public List<String> letGo() {
        List<Crossing> late = List.copyOf(faults.held);
        faults.held.removeAll(late);
        List<String> answers = new ArrayList<>();
        for (Crossing request : late) {
            request.letGo.complete(true);
            answers.add(request.answer
                    .completeOnTimeout("", PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .join());
        }
        return answers;
    }

    /** Breaks all connections (RST); clients may connect anew at once. */
    public void reset() {
        open().forEach(ProxiedConnection::reset);
    }

    /** Breaks the connection that was opened last, if there is one. */
    public void resetNewest() {
        List<ProxiedConnection> open = open();
        if (!open.isEmpty()) {
            open.get(open.size() - 1).reset();
        }
    }

    /** Breaks all connections and refuses new ones until {@link #heal()}. */
    public void cut() {
        shut();
        reset();
    }

    /** Ends {@link #cut} and {@link #drop}; delays and rules stay. The server hears of clients that went away meanwhile. */
    public void heal() {
        faults.dropped.clear();
        open().forEach(ProxiedConnection::healed);
        openDoor();
    }

    private synchronized void openDoor() {
        if (door != null || closed) {
            return;
        }
        door = Door.open(address, this::connect);
    }

    /** How many connections are open. */
    public int connections() {
        return open().size();
    }

    /** What has passed since the start. */
    public Traffic traffic() {
        return faults.traffic();
    }

    /** Breaks all connections and ends. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        shut();
        open().forEach(ProxiedConnection::close);
        faults.held.clear();
        try {
            reservation.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "FaultyProxy[" + uri() + " before " + server + ", " + traffic() + "]";
    }

    private synchronized List<ProxiedConnection> open() {
        return List.copyOf(connections);
    }

    private void shut() {
        Door open;
        synchronized (this) {
            open = door;
            door = null;
        }
        if (open != null) {
            open.close();
        }
    }

    @SuppressWarnings("ReferenceEquality") // this very door
    private void connect(Socket client, Door through) throws IOException {
        Socket onward = new Socket();
        try {
            client.setTcpNoDelay(true);
            onward.setTcpNoDelay(true);
            onward.connect(server, PATIENCE_MILLIS);
        } catch (IOException e) {
            ProxiedConnection.abort(client); // no server behind it
            onward.close();
            return;
        }
        ProxiedConnection connection = new ProxiedConnection(client, onward, faults, this::forget);
        synchronized (this) {
            if (door == through) {
                faults.connections.increment();
                connections.add(connection);
                connection.start();
                return;
            }
        }
        connection.reset(); // cut meanwhile
    }

    private synchronized void forget(ProxiedConnection connection) {
        connections.remove(connection);
    }
}
