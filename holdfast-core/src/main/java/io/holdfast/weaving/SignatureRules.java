// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of an annotated method's signature, and how a breach is told: the same at compile time as at run time. */
public final class SignatureRules {
    private static final Set<String> EMPTY_OR_NOT =
            Set.of("java.util.Optional", "java.util.OptionalInt", "java.util.OptionalLong", "java.util.OptionalDouble");

    private SignatureRules() {}

    /** The methods that may give a property, best first; after them a field of its name. */
    public static List<String> accessors(String property) {
        String capital = Character.toUpperCase(property.charAt(0)) + property.substring(1);
        return List.of(property, "get" + capital, "is" + capital);
    }

    /** Why a value of that type can't be part of a key; null when it can. */
    public static @Nullable String refusal(String type, boolean array) {
        if (array) {
            return "an array has no text that stands for it: name one value";
        }
        if (EMPTY_OR_NOT.contains(type)) {
            return type + " may be empty: take it apart before the call";
        }
        return type.equals("io.holdfast.Lease") ? "the lease is there only once the lock is taken" : null;
    }

    /** That a type has no such property. */
    public static String missing(String type, String property) {
        return type + " has no property " + property + ": neither " + property
                + "(), nor a getter, nor a field that is not " + "private";
    }

    /** That a method has no such parameter. */
    public static String noParameter(String name, List<String> parameters) {
        return "{" + name + "} names no parameter; there "
                + (parameters.isEmpty() ? "are none" : "is " + String.join(", ", parameters));
    }

    /** That a method asks for more leases than it has locks. */
    public static String tooManyLeases(int parameters, int locks) {
        return parameters + " parameters of type Lease, but only " + locks + (locks == 1 ? " lock" : " locks");
    }

    /** That callers of the method don't pass by where the lock is taken. */
    public static String outOfReach() {
        return "a private or static method can't be woven: callers reach it without the lock";
    }

    /** That there is no method to fall back to. */
    public static String noFallback(String name, String result, List<String> parameters) {
        String types = String.join(", ", parameters);
        return "no method " + result + " " + name + "(" + types
                + ") to fall back to, nor one with a LockNotAcquiredException "
                + "as its last parameter; it must not be private";
    }
}
