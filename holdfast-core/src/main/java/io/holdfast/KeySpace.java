// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;

/**
 * Turns business keys into Redis keys: {@code <prefix>:<segment>:<key>}, an empty part left out with its colon; in exact
 * mode the business key as it is, so that the same key excludes other libraries.
 */
final class KeySpace {
    private final String lockPrefix;
    private final String companionPrefix;

    /**
     * @param prefix first part, e.g. {@code holdfast}
     * @param segment second part, e.g. {@code lock}
     * @param exact whether lock keys are business keys
     */
    KeySpace(String prefix, String segment, boolean exact) {
        lockPrefix = exact ? "" : part(prefix) + part(segment);
        companionPrefix = prefix.isEmpty() ? "holdfast" : prefix;
    }

    LockName name(String key) {
        Limits.key(key);
        LockName name = new LockName(key, lockPrefix, companionPrefix);
        if (name.isCompanion()) {
            throw new IllegalArgumentException("lock key " + key + " would be Holdfast's own key " + name.lockKey()
                    + " in Redis; take another key, keyPrefix or lockSegment");
        }
        return name;
    }

    /** Where the process with that instance id listens. */
    String channel(String instance) {
        return companionPrefix + ":ch:" + instance;
    }

    private static String part(String text) {
        return text.isEmpty() ? "" : text + ":";
    }
}
