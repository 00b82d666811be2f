// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lock must not double an application's class path. The list is left in {@code target/footprint.txt}. */
class FootprintTest {
    private static final int MOST_JARS = 10;
    private static final long MOST_BYTES = 2_500_000;

    @Test
    void jedis_withAllItNeeds_isTenJarsAndTwoAndAHalfMegabytesAtMost() throws IOException {
        Footprint footprint = Footprint.of(List.of("holdfast-jedis"));
        Files.writeString(Path.of("target", "footprint.txt"), footprint.toString());

        assertThat(footprint.jars())
                .extracting(Footprint.Jar::name)
                .anyMatch(name -> name.startsWith("holdfast-core-"))
                .anyMatch(name -> name.startsWith("holdfast-jedis-"))
                .anyMatch(name -> name.startsWith("commons-pool2-"))
                .noneMatch(name -> name.startsWith("lettuce-"));
        assertThat(footprint.jars()).as("%s", footprint).hasSizeLessThanOrEqualTo(MOST_JARS);
        assertThat(footprint.bytes()).as("%s", footprint).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void lettuce_isCountedWithItsNetty() {
        Footprint footprint = Footprint.of(List.of("holdfast-lettuce"));

        assertThat(footprint.jars())
                .extracting(Footprint.Jar::name)
                .anyMatch(name -> name.startsWith("netty-codec-base-"))
                .noneMatch(name -> name.startsWith("jedis-"));
    }
}
