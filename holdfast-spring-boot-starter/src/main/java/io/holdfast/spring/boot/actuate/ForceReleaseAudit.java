// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Who asked to take which lock away, why, and what came of it: a line on the logger {@value #LOGGER}, which can go to a file of
 * its own, and an audit event of Boot's, which an {@code AuditEventRepository} keeps.
 */
final class ForceReleaseAudit {
    static final String LOGGER = "io.holdfast.audit";
    static final String EVENT = "LOCK_FORCE_RELEASE";

    private static final int LONGEST_REASON = 200;
    private static final Logger log = LoggerFactory.getLogger(LOGGER);

    private final ApplicationEventPublisher events;

    ForceReleaseAudit(ApplicationEventPublisher events) {
        this.events = events;
    }

    /** One grant that an operator looked at, and why it is to end. */
    record Request(
            String key,
            long fencingToken,
            String reason,
            @Nullable String user) {

        /** Throws an {@link IllegalArgumentException} for what would make no record, or a forged one. */
        static Request of(
                String key, @Nullable Long fencingToken, @Nullable String reason, @Nullable SecurityContext security) {
            if (fencingToken == null) {
                throw new IllegalArgumentException(
                        "fencingToken is missing: give that of the grant you looked at, or 0 if it has none");
            }
            Principal principal = security == null ? null : security.getPrincipal();
            return new Request(key, fencingToken, checked(reason), principal == null ? null : principal.getName());
        }

        private static String checked(@Nullable String reason) {
            if (reason == null || reason.isBlank()) {
                throw new IllegalArgumentException(
                        "reason is missing: say why the lock is taken away; it is written down");
            }
            if (reason.length() > LONGEST_REASON) {
                throw new IllegalArgumentException(
                        "reason must be at most " + LONGEST_REASON + " characters, was " + reason.length());
            }
            reason.codePoints().filter(ForceReleaseAudit::isHidden).findFirst().ifPresent(found -> {
                throw new IllegalArgumentException("reason has a character that is not text (code " + found + ")");
            });
            return reason;
        }
    }

    void record(Request request, String outcome) {
        // The reason comes last, so that nothing in it passes for another part of the line.
        log.warn(
                "Lock force-release {}: {}, fencing token {}, asked for by {}, reason: {}",
                outcome,
                request.key(),
                request.fencingToken(),
                request.user() == null ? "somebody unnamed" : visible(request.user()),
                request.reason());
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("lock", request.key());
        data.put("fencingToken", Long.toString(request.fencingToken()));
        data.put("reason", request.reason());
        data.put("outcome", outcome);
        events.publishEvent(new AuditApplicationEvent(request.user() == null ? "" : request.user(), EVENT, data));
    }

    /** What would begin another line in a log, or change the order or look of this one. */
    private static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /** A name comes from wherever people log in, and can't be refused here. */
    private static String visible(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().forEach(character -> {
            if (isHidden(character)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", character));
            } else {
                text.appendCodePoint(character);
            }
        });
        return text.toString();
    }
}
