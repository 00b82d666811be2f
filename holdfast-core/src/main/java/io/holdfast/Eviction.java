// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server does when its memory is full.
 *
 * @param policy its {@code maxmemory-policy}
 * @param maxMemory how many bytes are full, 0 for no limit
 */
public record Eviction(String policy, long maxMemory) {
    private static final String NONE = "noeviction";
    private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:(\\d{1,18})\\s*$");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:(\\S+)\\s*$");

    /** Reads what {@code INFO memory} says; a field it lacks makes that a policy called {@code unknown}, or no limit. */
    public static Eviction ofInfo(String info) {
        Matcher limit = LIMIT.matcher(info);
        Matcher policy = POLICY.matcher(info);
        return new Eviction(
                policy.find() ? policy.group(1) : "unknown", limit.find() ? Long.parseLong(limit.group(1)) : 0);
    }

    /** Whether a lock that is held may be dropped. It has a TTL, so every policy but one may choose it. */
    public boolean mayDropLocks() {
        return maxMemory > 0 && !policy.equals(NONE);
    }
}
