// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import java.util.concurrent.Executor;

/**
 * What an acquire asks for.
 *
 * @param name the lock
 * @param options how it is to be taken, kept and given back
 * @param patience how long and how often to try
 * @param steps where tries are made: a waiting caller's own thread, or one that may do what the client does
 * @param events who is told of it, and of the lease it brings
 */
record Wish(LockName name, LockOptions options, Patience patience, Executor steps, Events events) {
    /** Whether a thread of its own waits for it, which can come and take what is there. */
    boolean hasThread() {
        return steps instanceof CallerDriver;
    }
}
