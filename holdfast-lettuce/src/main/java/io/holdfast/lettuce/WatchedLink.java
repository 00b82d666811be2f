// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.Lookout;

/** Counts the commands under way, so that a thread whose command is alone can be on the {@link Lookout} for its reply. */
final class WatchedLink implements Link {
    private final Link link;
    private final Lookout lookout;

    WatchedLink(Link link, Lookout lookout) {
        this.link = link;
        this.lookout = lookout;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // counting does not fail
    public void dispatch(WireCommand wire) {
        lookout.begin();
        wire.whenComplete((reply, failure) -> lookout.end());
        link.dispatch(wire);
    }

    @Override
    public Lookout lookout() {
        return lookout;
    }

    @Override
    public void close() {
        link.close();
    }
}
