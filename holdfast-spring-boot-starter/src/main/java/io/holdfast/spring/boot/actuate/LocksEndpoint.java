// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import io.holdfast.HeldLease;
import io.holdfast.Holdfast;
import io.holdfast.LockBackendException;
import io.holdfast.LockInfo;
import io.holdfast.WaitingAcquire;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The actuator's endpoint {@code locks}:
 *
 * <ul>
 *   <li>{@code GET locks}: what this process holds and waits for, and which locks are contended; no I/O;
 *   <li>{@code GET locks/order:42}: who holds that lock, since when, for how long, and who waits, as Redis knows it;
 *   <li>{@code POST locks/order:42} with {@code {"fencingToken": "…", "reason": "…"}}: takes it from the grant with that fencing token and from no other,
 *       where {@code management.endpoint.locks.force-release} allows that, and writes down who did it and why.
 * </ul>
 *
 * <p>Slashes in a key stay slashes; other characters that a path can't have are encoded as usual.
 */
@Endpoint(id = "locks")
// Boot sees for itself only what a signature names, and these are behind a wildcard. They are named, not referred to:
// every start reads these annotations, and would load the classes.
@RegisterReflectionForBinding(
        classNames = {
            "io.holdfast.spring.boot.actuate.LockView$Lock",
            "io.holdfast.spring.boot.actuate.LockView$Released",
            "io.holdfast.spring.boot.actuate.LockView$Conflict",
            "io.holdfast.spring.boot.actuate.LockView$Refusal"
        })
public class LocksEndpoint {
    private static final int MOST_SHOWN = 1_000;
    private static final int MOST_LABELS = 20;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;

    private final Holdfast locks;
    private final LockContention contention;
    private final boolean mayForceRelease;
    private final ForceReleaseAudit audit;

    /** Of that process; {@code mayForceRelease} allows {@code POST}, and {@code events} gets an audit event of each. */
    public LocksEndpoint(
            Holdfast locks, LockContention contention, boolean mayForceRelease, ApplicationEventPublisher events) {
        this.locks = locks;
        this.contention = contention;
        this.mayForceRelease = mayForceRelease;
        this.audit = new ForceReleaseAudit(events);
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

    /** A {@code POST} of JSON: no link leads to one, and a form on somebody else's page can't send it. */
    @WriteOperation
    WebEndpointResponse<?> forceRelease(
            @Selector(match = Match.ALL_REMAINING) String[] key,
            @Nullable Long fencingToken,
            @Nullable String reason,
            @Nullable SecurityContext security) {
        if (!mayForceRelease) {
            return refusal(
                    FORBIDDEN,
                    "taking locks away is not allowed here; management.endpoint.locks.force-release=true allows it");
        }
        return answer(() -> forceRelease(ForceReleaseAudit.Request.of(whole(key), fencingToken, reason, security)));
    }

    private WebEndpointResponse<?> forceRelease(ForceReleaseAudit.Request request) {
        try {
            Optional<LockInfo.Holder> from = locks.forceRelease(request.key(), request.fencingToken());
            if (from.isEmpty()) {
                return notTaken(request);
            }
            audit.record(request, "done");
            return new WebEndpointResponse<>(
                    new LockView.Released(request.key(), true, LockView.Holder.of(from.get())));
        } catch (LockBackendException down) {
            audit.record(request, "failed, the lock may have been taken");
            throw down;
        }
    }

    /** A second look: it is for the operator only, since nothing was changed. */
    private WebEndpointResponse<?> notTaken(ForceReleaseAudit.Request request) {
        LockInfo now = locks.inspect(request.key());
        if (!now.isHeld()) {
            audit.record(request, "refused, nobody held it");
            return new WebEndpointResponse<>(
                    new LockView.Released(request.key(), false, null), WebEndpointResponse.STATUS_NOT_FOUND);
        }
        audit.record(request, "refused, it is another grant's");
        return new WebEndpointResponse<>(LockView.Conflict.of(request.fencingToken(), now), CONFLICT);
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
}
