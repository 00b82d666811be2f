// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.util.Locale;
import java.util.Optional;

/** An operating system and processor, in Java's spelling, and the name of the server shipped for it. */
record Platform(String os, String arch) {
    private static final String PREFIX = "redis-server-7.0.15-";

    static Platform current() {
        return new Platform(System.getProperty("os.name", "unknown"), System.getProperty("os.arch", "unknown"));
    }

    /** The resource in the embedded-redis jar; empty where that jar ships nothing that could run here. */
    Optional<String> resource() {
        return system().flatMap(system -> processor()
                .filter(processor -> system.equals("linux") || !processor.equals("386"))
                .map(processor -> PREFIX + system + "-" + processor));
    }

    private Optional<String> system() {
        String name = os.toLowerCase(Locale.ROOT);
        if (name.startsWith("linux")) {
            return Optional.of("linux");
        }
        return name.startsWith("mac") || name.startsWith("darwin") ? Optional.of("darwin") : Optional.empty();
    }

    private Optional<String> processor() {
        return switch (arch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> Optional.of("amd64");
            case "aarch64", "arm64" -> Optional.of("arm64");
            case "x86", "i386", "i486", "i586", "i686" -> Optional.of("386");
            default -> Optional.empty();
        };
    }

    @Override
    public String toString() {
        return os + "/" + arch;
    }
}
