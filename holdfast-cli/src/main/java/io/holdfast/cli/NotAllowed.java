// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.Serial;

/** The server's ACL forbids what was asked; says what to grant. */
final class NotAllowed extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String permission;

    NotAllowed(String permission, Throwable cause) {
        super(cause.getMessage(), cause);
        this.permission = permission;
    }

    /** As {@code ACL SETUSER} takes it: {@code +get}, {@code ~holdfast:*} or {@code &holdfast:ch:*}. */
    String permission() {
        return permission;
    }
}
