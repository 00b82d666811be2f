// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands at a lock key: {@code <22 random><12 instance>.<max ttl>~host/pid} and, when the grant is fenced,
 * {@code #<fence base>} appended by the script that granted it, with a zero before the base when it was handed over from process
 * to process. Everything before the {@code #} is the token its acquirer
 * made up, so a retry whose first reply was lost still recognises its own grant; the base makes the fencing token and the
 * time of the grant readable without a companion key.
 *
 * @param token the part before {@code #}
 * @param maxTtlMillis the longest life this lease may ever give its key
 * @param note {@code host/pid}
 * @param fenceBase fence base, or 0
 */
record LockValue(String token, long maxTtlMillis, String note, long fenceBase) {

    private static final Pattern FORM = Pattern.compile("([\\w-]{34}\\.(\\d{1,9})~([^#]*))(?:#(\\d{1,18}))?");

    /** Empty for a value of another library. */
    static Optional<LockValue> parse(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            return Optional.empty();
        }
        return Optional.of(new LockValue(
                form.group(1),
                Long.parseLong(form.group(2)),
                form.group(3),
                form.group(4) == null ? 0 : Long.parseLong(form.group(4))));
    }

    static String fenced(String token, long fenceBase, boolean handedOver) {
        return fenceBase == 0 ? token : token + (handedOver ? "#0" : "#") + fenceBase;
    }
}
