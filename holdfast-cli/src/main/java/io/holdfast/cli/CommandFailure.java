// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Something the user can mend; its message is all that is shown, unless asked for more with {@code --verbose}. */
public final class CommandFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The cause may be null. */
    public CommandFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
