// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.List;
import javax.lang.model.element.ExecutableElement;
import org.jspecify.annotations.Nullable;

/**
 * A method with locks that passed every check.
 *
 * @param annotated the method and its annotations
 * @param values of the placeholders, lock by lock, of each the key's and then the owner's
 * @param leases the positions of its parameters of type Lease
 * @param fallback what to call when a lock is busy, if that is the policy
 */
record WovenMethod(
        Annotated annotated,
        List<Placeholder> values,
        List<Integer> leases,
        @Nullable ExecutableElement fallback) {

    /**
     * Where a placeholder's value comes from.
     *
     * @param parameter the position of the parameter
     * @param steps what leads on from it, {@code id()} or {@code id}
     */
    record Placeholder(int parameter, List<String> steps) {}
}
