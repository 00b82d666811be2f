// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the builder collected, as a command line and as an address. Port 0 stands for "a free one". */
record ServerOptions(
        Path executable, int port, String bind, @Nullable String password, List<Setting> settings) {
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "*");
    private static final List<Setting> DEFAULTS = List.of(new Setting("save", ""), new Setting("appendonly", "no"));

    /** One directive of {@code redis.conf}. */
    record Setting(String name, String value) {}

    ServerOptions {
        settings = List.copyOf(settings);
    }

    ServerOptions withPort(int chosen) {
        return new ServerOptions(executable, chosen, bind, password, settings);
    }

    List<String> command(WorkFolder folder) {
        List<String> command = new ArrayList<>();
        command.add(executable.toString());
        if (password != null) {
            // In a file only this user can read: a command line is visible to everybody on the machine.
            String quoted = password.replace("\\", "\\\\").replace("\"", "\\\"");
            command.add(folder.write("auth.conf", "requirepass \"" + quoted + "\"\n")
                    .toString());
        }
        add(command, new Setting("port", Integer.toString(port)));
        add(command, new Setting("bind", bind));
        add(command, new Setting("daemonize", "no"));
        DEFAULTS.stream().filter(ours -> !overridden(ours.name())).forEach(ours -> add(command, ours));
        settings.forEach(theirs -> add(command, theirs));
        return command;
    }

    String host() {
        if (WILDCARDS.contains(bind)) {
            return "127.0.0.1";
        }
        return bind.equals("::") ? "::1" : bind;
    }

    String encodedPassword() {
        return password == null
                ? ""
                : URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
    }

    String redactedUri() {
        return uri(password == null ? "" : "***");
    }

    String uri(String shownPassword) {
        String credentials = shownPassword.isEmpty() ? "" : ":" + shownPassword + "@";
        String address = host().contains(":") ? "[" + host() + "]" : host();
        return "redis://" + credentials + address + ":" + port;
    }

    /** Without the password, which a generated {@code toString()} would print. */
    @Override
    public String toString() {
        return executable + " at " + redactedUri();
    }

    private boolean overridden(String name) {
        return settings.stream().anyMatch(setting -> setting.name().equals(name));
    }

    private static void add(List<String> command, Setting setting) {
        command.add("--" + setting.name());
        command.add(setting.value());
    }
}
