// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which results a method with locks may have: those that tell when the method is done. */
public final class ResultTypes {
    private static final Set<String> STAGES =
            Set.of("java.util.concurrent.CompletionStage", "java.util.concurrent.CompletableFuture");
    private static final Set<String> REACTOR = Set.of("reactor.core.publisher.Mono", "reactor.core.publisher.Flux");

    private ResultTypes() {}

    /** Whether {@code holdfast-reactor} is needed for methods that return that type. */
    public static boolean needsReactor(String type) {
        return REACTOR.contains(type);
    }

    /** That it is missing. */
    public static String noReactor(String type) {
        return "a lock that lasts until " + type + " ends needs io.holdfast:holdfast-reactor";
    }

    /**
     * Why a method with locks can't return that type; null when it can.
     *
     * @param isA whether the type is, or extends, the one of that name
     */
    public static @Nullable String refusal(String type, Predicate<String> isA) {
        if (STAGES.contains(type) || REACTOR.contains(type)) {
            return null;
        }
        if (isA.test("java.util.concurrent.CompletionStage")) {
            return "the lock is to last until " + type
                    + " is complete, which takes another stage: declare CompletionStage " + "or CompletableFuture";
        }
        if (isA.test("java.util.concurrent.Future")) {
            return "a Future tells nobody when it is done, so the lock would end before it: return a CompletionStage";
        }
        if (isA.test("org.reactivestreams.Publisher") || isA.test("java.util.concurrent.Flow$Publisher")) {
            return "the lock would end before anybody subscribes to " + type + ": declare Reactor's Mono or Flux";
        }
        if (isA.test("java.util.stream.BaseStream") || isA.test("java.util.Iterator")) {
            return "the lock would end before anybody reads from " + type + ": return a collection";
        }
        return null;
    }

    /** Why a method that returns that type can't be skipped; null when it can. */
    public static @Nullable String skipRefusal(String type, boolean primitive) {
        return primitive && !type.equals("void") && !type.equals("boolean")
                ? "onBusy = SKIP has no " + type + " to return: use FALLBACK, or return an Optional"
                : null;
    }

    static void checkSkippable(Class<?> result) {
        String refusal = skipRefusal(result.getName(), result.isPrimitive());
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
    }

    static ResultAdapter adapter(Class<?> result) {
        Set<String> supertypes = new HashSet<>();
        collect(result, supertypes);
        String refusal = refusal(result.getName(), supertypes::contains);
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
        if (needsReactor(result.getName())) {
            return services()
                    .filter(adapter -> adapter.adapts(result))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(noReactor(result.getName())));
        }
        return List.of(new StageResult(), new PlainResult()).stream()
                .filter(adapter -> adapter.adapts(result))
                .findFirst()
                .orElseThrow();
    }

    /** From where this class is: a thread may have any class loader when its first method is woven. */
    private static Stream<ResultAdapter> services() {
        return ServiceLoader.load(ResultAdapter.class, ResultTypes.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get);
    }

    private static void collect(@Nullable Class<?> type, Set<String> names) {
        if (type == null || !names.add(type.getName())) {
            return;
        }
        collect(type.getSuperclass(), names);
        for (Class<?> face : type.getInterfaces()) {
            collect(face, names);
        }
    }
}
