// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundledServerTest {
    private static final Platform LINUX = new Platform("Linux", "amd64");

    @TempDir
    Path temporary;

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-amd64",
        "Linux, aarch64, linux-arm64",
        "Linux, i386, linux-386",
        "Mac OS X, x86_64, darwin-amd64",
        "Mac OS X, aarch64, darwin-arm64"
    })
    void platform_supported_namesAResourceThatExists(String os, String arch, String suffix) {
        String resource = new Platform(os, arch).resource().orElseThrow();
        assertThat(resource).isEqualTo("redis-server-7.0.15-" + suffix);
        assertThat(BundledServer.class.getResource("/" + resource)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Mac OS X, i386", "FreeBSD, amd64"})
    void unpack_unsupportedPlatform_saysWhatToDo(String os, String arch) {
        assertThatIllegalStateException()
                .isThrownBy(() -> BundledServer.unpack(new Platform(os, arch), temporary))
                .withMessageContainingAll(os + "/" + arch, "builder().server(path)", "HOLDFAST_REDIS_SERVER");
    }

    @Test
    void unpack_again_reusesTheFile() throws Exception {
        Path first = BundledServer.unpack(LINUX, temporary);
        Object written = Files.getAttribute(first, "unix:ino");
        assertThat(first).isExecutable();
        assertThat(BundledServer.unpack(LINUX, temporary)).isEqualTo(first);
        assertThat(Files.getAttribute(first, "unix:ino")).isEqualTo(written);
        assertThat(files()).containsExactly(first);
    }

    @Test
    void unpack_overADamagedFile_replacesIt() throws Exception {
        Path server = BundledServer.unpack(LINUX, temporary);
        byte[] whole = Files.readAllBytes(server);
        Files.write(server, new byte[] {1, 2, 3});
        assertThat(BundledServer.unpack(LINUX, temporary)).isEqualTo(server).hasBinaryContent(whole);
    }

    @Test
    void unpack_folderOpenToOthers_isNotTrusted() throws Exception {
        Path server = BundledServer.unpack(LINUX, temporary);
        Files.setPosixFilePermissions(server.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(BundledServer.unpack(LINUX, temporary).getParent()).isNotEqualTo(server.getParent());
    }

    @Test
    void unpack_folderIsALink_isNotFollowed() throws Exception {
        Path shared = BundledServer.unpack(LINUX, temporary).getParent();
        Path elsewhere = Files.move(shared, temporary.resolve("elsewhere"));
        Files.createSymbolicLink(shared, elsewhere);
        assertThat(BundledServer.unpack(LINUX, temporary).getParent()).isNotEqualTo(shared);
    }

    @Test
    void unpack_manyAtOnce_agreeOnOneWholeFile() throws Exception {
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CyclicBarrier together = new CyclicBarrier(threads);
        List<Future<Path>> results = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            results.add(pool.submit(() -> {
                together.await();
                return BundledServer.unpack(LINUX, temporary);
            }));
        }
        for (Future<Path> result : results) {
            assertThat(result.get()).isEqualTo(results.get(0).get()).isExecutable();
        }
        pool.shutdown();
        assertThat(files()).containsExactly(results.get(0).get());
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
