// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import io.holdfast.HeldLease;
import io.holdfast.Holdfast;
import io.holdfast.LockBackendException;
import io.holdfast.LockInfo;
import io.holdfast.WaitingAcquire;
import java.security.Principal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator's endpoint {@code locks}:
 *
 * <ul>
 *   <li>{@code GET locks}: what this process holds and waits for, and which locks are contended; no I/O;
 *   <li>{@code GET locks/order:42}: who holds that lock, since when, for how long, and who waits, as Redis knows it;
 *   <li>{@code DELETE locks/order:42}: takes it from whoever holds it, where {@code management.endpoint.locks.force-release}
 *       allows that; with {@code ?fencingToken=…} only from the grant with that token.
 * </ul>
 *
 * <p>Slashes in a key stay slashes; other characters that a path can't have are encoded as usual.
 */
@Endpoint(id = "locks")
public class LocksEndpoint {
    private static final Logger log = LoggerFactory.getLogger(LocksEndpoint.class);
    private static final int MOST_SHOWN = 1_000;
    private static final int MOST_LABELS = 20;
    private static final int FORBIDDEN = 403;

    private final Holdfast locks;
    private final LockContention contention;
    private final boolean mayForceRelease;

    /** Of that process; {@code mayForceRelease} allows {@code DELETE}. */
    public LocksEndpoint(Holdfast locks, LockContention contention, boolean mayForceRelease) {
        this.locks = locks;
        this.contention = contention;
        this.mayForceRelease = mayForceRelease;
    }

    @ReadOperation
    LockView.Locks process() {
        List<HeldLease> held = locks.held();
        List<WaitingAcquire> waiting = locks.waiting();
        return new LockView.Locks(
                held.size(),
                held.stream()
                        .sorted(Comparator.comparing(HeldLease::heldFor).reversed())
                        .limit(MOST_SHOWN)
                        .map(LockView.Held::of)
                        .toList(),
                waiting.size(),
                waiting.stream()
                        .sorted(Comparator.comparing(WaitingAcquire::waitingFor).reversed())
                        .limit(MOST_SHOWN)
                        .map(LockView.Waiting::of)
                        .toList(),
                contention.top(MOST_LABELS));
    }

    @ReadOperation
    WebEndpointResponse<?> lock(@Selector(match = Match.ALL_REMAINING) String[] key) {
        return answer(() -> new WebEndpointResponse<>(LockView.Lock.of(locks.inspect(whole(key)))));
    }

    @DeleteOperation
    WebEndpointResponse<?> forceRelease(
            @Selector(match = Match.ALL_REMAINING) String[] key,
            @Nullable Long fencingToken,
            @Nullable SecurityContext security) {
        if (!mayForceRelease) {
            return refusal(
                    FORBIDDEN,
                    "taking locks away is not allowed here; management.endpoint.locks.force-release=true allows it");
        }
        return answer(() -> {
            String name = whole(key);
            Optional<LockInfo.Holder> from =
                    fencingToken == null ? locks.forceRelease(name) : locks.forceRelease(name, fencingToken);
            log.warn(
                    "{} asked to force-release lock {}: {}",
                    who(security),
                    name,
                    from.isPresent() ? "done" : "nothing was held, or another grant");
            return new WebEndpointResponse<>(
                    new LockView.Released(
                            name,
                            from.isPresent(),
                            from.map(LockView.Holder::of).orElse(null)),
                    from.isPresent() ? WebEndpointResponse.STATUS_OK : WebEndpointResponse.STATUS_NOT_FOUND);
        });
    }

    private static WebEndpointResponse<?> answer(Supplier<WebEndpointResponse<?>> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException badKey) {
            return refusal(WebEndpointResponse.STATUS_BAD_REQUEST, badKey.getMessage());
        } catch (LockBackendException down) {
            return refusal(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, down.getMessage());
        }
    }

    private static WebEndpointResponse<?> refusal(int status, @Nullable String why) {
        return new WebEndpointResponse<>(new LockView.Refusal(String.valueOf(why)), status);
    }

    private static String whole(String[] key) {
        return String.join("/", key);
    }

    private static String who(@Nullable SecurityContext security) {
        Principal principal = security == null ? null : security.getPrincipal();
        return principal == null ? "Somebody unnamed" : principal.getName();
    }
}
