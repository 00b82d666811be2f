// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import java.io.Serial;
import java.util.List;

/** Methods with {@link io.holdfast.Lock} can't work as they are. Thrown when the application starts, for all at once. */
public final class InvalidLockAnnotationException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    InvalidLockAnnotationException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each names the method, says what is wrong with it and what to do. */
    public List<String> problems() {
        return problems;
    }
}
