// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.LockInfo;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says who holds a lock and who waits for it. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {"Says who holds a lock, since when and for how long, and who waits for it. Changes nothing.", ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:The lock is free or held.", "2:The command line is wrong, or Redis did not answer."})
final class InspectCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS XXX", Locale.ROOT);

    @Parameters(index = "0", paramLabel = "KEY", description = "The lock's business key, e.g. order:42.")
    private String key = "";

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(names = "--exact-keys", description = "The application uses exact keys: KEY is the key in Redis as it is.")
    private boolean exactKeys;

    @Override
    public Integer call() {
        RedisAddress address = server.address();
        Redis.check(address);
        Holdfast.Builder builder =
                Holdfast.builder().connector(JedisConnector.connect(address)).keyPrefix(server.prefix());
        if (exactKeys) {
            builder.exactKeys();
        }
        try (Holdfast holdfast = builder.build()) {
            describe(holdfast.inspect(key), Screen.standard());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        return 0;
    }

    private static void describe(LockInfo lock, Screen screen) {
        LockInfo.Holder holder = lock.holder();
        String name = Format.printable(lock.key());
        if (holder == null) {
            screen.say(name + " is free");
        } else {
            String note = holder.note();
            screen.say(name + " is held by " + (note == null ? "another library's client" : Format.printable(note)));
            Instant since = holder.since();
            if (since != null) {
                line(screen, "since", TIME.format(since.atZone(ZoneId.systemDefault())) + ", by the server's clock");
            }
            line(screen, "TTL left", ttl(holder));
            holder.fencingToken().ifPresent(token -> line(screen, "fencing token", Long.toString(token)));
            String owner = holder.owner();
            if (owner != null) {
                line(screen, "owner", Format.printable(owner) + ", " + Format.count(holder.holds(), "hold"));
            }
        }
        line(
                screen,
                "waiting",
                lock.waiting().isEmpty()
                        ? "nobody"
                        : Format.count(lock.waiting().size()));
        lock.waiting().forEach(note -> line(screen, "", Format.printable(note)));
    }

    private static String ttl(LockInfo.Holder holder) {
        if (holder.eternal()) {
            return "none: nothing will free it but its holder or DEL";
        }
        return holder.ttl() == null ? "unknown" : Format.count(holder.ttl().toMillis()) + " ms";
    }

    private static void line(Screen screen, String name, String value) {
        screen.say(String.format(Locale.ROOT, "  %-14s %s", name, value));
    }
}
