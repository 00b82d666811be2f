// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;

/**
 * Turns business keys into Redis keys: {@code <prefix>:<segment>:<key>}, an empty part left out with its colon; in exact
 * mode the business key as it is, so that the same key excludes other libraries.
 *
 * @param prefix first part, e.g. {@code holdfast}
 * @param segment second part, e.g. {@code lock}
 * @param exact whether lock keys are business keys
 */
record KeySpace(String prefix, String segment, boolean exact) {
    static final KeySpace DEFAULT = new KeySpace("holdfast", "lock", false);

    LockName name(String key) {
        Limits.key(key);
        LockName name = new LockName(key, exact ? key : part(prefix) + part(segment) + key, companionPrefix());
        if (name.isCompanion()) {
            throw new IllegalArgumentException("lock key " + key + " would be Holdfast's own key " + name.lockKey()
                    + " in Redis; take another key, keyPrefix or lockSegment");
        }
        return name;
    }

    /** Where the process with that instance id listens. */
    String channel(String instance) {
        return companionPrefix() + ":ch:" + instance;
    }

    private String companionPrefix() {
        return prefix.isEmpty() ? "holdfast" : prefix;
    }

    private static String part(String text) {
        return text.isEmpty() ? "" : text + ":";
    }
}
