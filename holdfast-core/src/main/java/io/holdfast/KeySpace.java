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
    /** Whether no key can make a companion's of it, as with a segment of its own. */
    private final boolean apart;

    /**
     * @param prefix first part, e.g. {@code holdfast}
     * @param segment second part, e.g. {@code lock}
     * @param exact whether lock keys are business keys
     */
    KeySpace(String prefix, String segment, boolean exact) {
        lockPrefix = exact ? "" : part(prefix) + part(segment);
        companionPrefix = prefix.isEmpty() ? "holdfast" : prefix;
        apart = lockPrefix.equals(companionPrefix + ":" + part(segment))
                && !segment.isEmpty()
                && !new LockName("", lockPrefix, companionPrefix).isCompanion();
    }

    LockName name(String key) {
        Limits.key(key);
        LockName name = new LockName(key, lockPrefix, companionPrefix);
        if (!apart && name.isCompanion()) {
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
