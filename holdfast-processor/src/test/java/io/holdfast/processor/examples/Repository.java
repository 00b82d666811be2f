// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor.examples;

import io.holdfast.Lock;
import java.util.List;
import java.util.Map;

/** Generics, a nested class, and a name that means something else here. */
public final class Repository {
    private Repository() {}

    public abstract static class Base<K, V extends Comparable<? super V>> {
        @Lock("base:{key}")
        public V load(K key) {
            return make(key);
        }

        protected abstract V make(K key);
    }

    public static class Users extends Base<Integer, String> {
        /** Not the one of java.util. */
        public interface Optional {}

        protected Users() {}

        <T extends Map<String, ?>> Users(T settings) throws IllegalStateException {
            settings.clear();
        }

        @Override
        protected String make(Integer key) {
            return "user " + key;
        }

        @Lock("users")
        public <T extends Number & Comparable<T>> T max(List<? extends T> from, Optional other, T least) {
            return from.isEmpty() ? least : from.get(0);
        }

        @Lock("users:{id.length}")
        protected java.util.Optional<int[][]> twice(String id) {
            return java.util.Optional.empty();
        }
    }
}
