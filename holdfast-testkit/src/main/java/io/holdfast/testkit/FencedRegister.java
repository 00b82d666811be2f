// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

/** What a lock protects, outside of Redis: takes a write unless a higher fencing token has written before. */
final class FencedRegister {
    private long highest;

    synchronized boolean write(long fencingToken) {
        if (fencingToken < highest) {
            return false;
        }
        highest = fencingToken;
        return true;
    }
}
