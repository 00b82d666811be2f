// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.Signals;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the scripts publish: a letter and the id of a token; for a lock that was handed over for good, also the fence base and
 * the ids of those of the same process that come next.
 *
 * @param kind {@code g} granted, {@code G} handed over, {@code w} wanted
 * @param id whom it concerns
 * @param grant of a lock that was handed over
 */
record Word(char kind, String id, AcquireReply.@Nullable Granted grant) {
    private static final Pattern HANDED_OVER = Pattern.compile("G([\\w-]{34})([1-9]\\d{15})((?:[\\w-]{34}){0,31})");

    /** Null for what is none of these: anybody may publish, so anything may come. */
    static @Nullable Word of(String text) {
        char kind = text.isEmpty() ? ' ' : text.charAt(0);
        if (kind == 'G') {
            Matcher parts = HANDED_OVER.matcher(text);
            return parts.matches()
                    ? new Word(kind, parts.group(1), handedOver(Long.parseLong(parts.group(2)), parts.group(3)))
                    : null;
        }
        boolean known = (kind == 'g' || kind == 'w') && text.length() == 1 + Signals.ID_LENGTH;
        return known ? new Word(kind, text.substring(1), null) : null;
    }

    /** Whoever is handed a lock reckons with others who want it: they do not say so. */
    private static AcquireReply.Granted handedOver(long fenceBase, String behind) {
        return new AcquireReply.Granted(fenceBase, true, true, true, behind);
    }

    void tell(Signals to) {
        if (grant != null) {
            to.handedOver(id, grant);
        } else if (kind == 'g') {
            to.granted(id);
        } else {
            to.wanted(id);
        }
    }
}
