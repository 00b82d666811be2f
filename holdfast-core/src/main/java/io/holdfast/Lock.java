// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method under a lock: taken before it, given back after it, however it ends.
 *
 * <pre>{@code
 * @Lock(key = "order:{orderId}", ttlMs = 15_000)
 * public Receipt pay(String orderId, Payment payment) { … }
 * }</pre>
 *
 * <p>A placeholder is a parameter, {@code {orderId}}, or a property of one, {@code {order.id}}: a record component, getter or
 * field. There is no expression language. A value that is null or blank is refused: a lock without its id would be shared by
 * all callers. The template is the {@linkplain LockOptions#label() label} for metrics, the resolved key is not.
 *
 * <p>Something has to weave it: {@code holdfast-processor} at compile time, the Spring advisor, or {@link Locks#proxy}. Each
 * of them refuses a wrong annotation before the first call.
 *
 * <p>The lock lasts until the result is there: also of a {@code CompletionStage}, or of Reactor's {@code Mono} and
 * {@code Flux}. A parameter of type {@link Lease}, for which callers pass null, or {@link Locks#current()} gives the method
 * its lease. Not re-entrant without an {@link #owner}: a method that calls another one with the same key finds it busy.
 *
 * <p>Repeated, all of the locks are taken, in the order of their resolved keys whatever the order here, so that two methods
 * can't wait for each other; a key named twice is taken once, as its first annotation says.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Lock.List.class)
public @interface Lock {

    /** Another word for {@link #key()}, so that {@code @Lock("cachefill:{key}")} is enough. */
    String value() default "";

    /** The business key, with placeholders. */
    String key() default "";

    /** How long the lease is valid, in milliseconds; 1 to 86,400,000. */
    long ttlMs() default 10_000;

    /** How long to wait for another holder, in milliseconds; 0 not at all, unless {@link #maxAttempts} is set. */
    long waitMs() default 0;

    /** The shortest pause between two tries, in milliseconds; under 10 is 10. */
    long retryMs() default 50;

    /** How many tries altogether, {@link #retryMs} apart; 0 for no such limit. With {@link #waitMs}, what is reached first. */
    int maxAttempts() default 0;

    /** Whether the lease is renewed while the method runs. */
    boolean renew() default false;

    /** The longest a renewed lease may be held, in milliseconds; 0 for what the manager's defaults say. */
    long maxHoldMs() default 0;

    /** Who may enter again while it holds the lock, with placeholders: a request or business id. */
    String owner() default "";

    /** What to do when somebody else keeps the lock; of several locks, only one may say. */
    BusyPolicy onBusy() default BusyPolicy.THROW;

    /**
     * With {@link BusyPolicy#FALLBACK}, the method of the same class to call instead: not private, the same parameters, then
     * if it likes a {@link LockNotAcquiredException}, and the same result.
     */
    String fallback() default "";

    /** What to do when Redis is unavailable; at most one, without one what the manager's defaults say. */
    FailurePolicy[] onUnavailable() default {};

    /** What a lock that was lost while the method ran does to its result. */
    LossPolicy onLost() default LossPolicy.THROW;

    /** Several locks on one method. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /** The locks. */
        Lock[] value();
    }
}
