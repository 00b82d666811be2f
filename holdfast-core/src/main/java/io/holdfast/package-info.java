// SPDX-License-Identifier: Apache-2.0
/**
 * The distributed lock: the API applications use and the engine behind it. {@link io.holdfast.Holdfast} is the entry.
 *
 * <p>One acquisition, file by file:
 *
 * <ol>
 *   <li>{@code Holdfast} is a {@code LockManager}: it turns the business key into Redis keys ({@code KeySpace}) and binds
 *       them to {@code LockOptions} in a {@code NamedLock}, the only {@code DistributedLock}.
 *   <li>{@code NamedLock} starts an {@code Acquisition}: one deadline, ask and ask again. A blocking caller drives it from
 *       its own thread through {@code CallerDriver}; an asynchronous one leaves that to the timer ({@code Alarms}). Its
 *       {@code Bid} has the token ({@code Tokens}) and knows which tries are without an answer.
 *   <li>Threads that want the same lock meet at its {@code Gate}: one of them asks Redis and the others wait there; what it
 *       wins passes from one to the next. What lies idle there is lent before an acquisition begins. A fair lock has no gate:
 *       its threads go to Redis together ({@code Convoys}) and are served by one grant ({@code Succession}). {@code Mailbox}
 *       listens for word from other processes, {@code Switchboard} brings it to whom it concerns.
 *   <li>{@code RedisBackend} puts the question into a command: {@code acquire.lua} (or {@code acquire-fair.lua},
 *       {@code acquire-owner.lua}, or a bare {@code SET NX PX}) through {@code Scripts} and the connector. The answer is an
 *       {@code AcquireReply}: granted or contended. An error is neither ({@code BackendErrors} tells them apart).
 *   <li>A grant becomes a {@code Hold}, which knows how long it is valid, and a {@code TokenLease}, the {@code Lease} the
 *       application sees. The {@code LeaseKeeper} adopts the hold: renews it ({@code renew.lua}) and tells the lease when
 *       it is lost.
 *   <li>{@code close()} goes to the {@code Releaser}: {@code release.lua}, or the server's own compare-and-delete
 *       ({@code NativeDelete}). What was left without an answer on the way is undone by the {@code Cleaner}
 *       ({@code abandon.lua}).
 * </ol>
 *
 * <p>{@code Overseer} is for those who run the process: what is held and waited for here, and taking a lock away
 * ({@code end.lua}).
 *
 * <p>{@code Engine} holds the parts all locks of a process share; {@code Events} tells listeners, {@code EventLog} is one.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
