// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvictionTest {
    @ParameterizedTest
    @CsvSource({
        "noeviction, 0, false",
        "noeviction, 1000, false",
        "volatile-lru, 0, false",
        "volatile-lru, 1000, true",
        "volatile-ttl, 1000, true",
        "allkeys-lfu, 1000, true"
    })
    void mayDropLocks_withALimitAndAnyPolicyButOne(String policy, long maxMemory, boolean mayDrop) {
        String info = "# Memory\r\nused_memory:900\r\nmaxmemory:" + maxMemory
                + "\r\nmaxmemory_human:1K\r\nmaxmemory_policy:" + policy + "\r\nmem_allocator:jemalloc\r\n";

        Eviction told = Eviction.ofInfo(info);

        assertThat(told).isEqualTo(new Eviction(policy, maxMemory));
        assertThat(told.mayDropLocks()).isEqualTo(mayDrop);
    }

    @Test
    void ofInfo_fieldsMissing_isUnknownAndNoWarning() {
        assertThat(Eviction.ofInfo("# Memory\r\nused_memory:900\r\n")).isEqualTo(new Eviction("unknown", 0));
        assertThat(Eviction.ofInfo("").mayDropLocks()).isFalse();
    }
}
