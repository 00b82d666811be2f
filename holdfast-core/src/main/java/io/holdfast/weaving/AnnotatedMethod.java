// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockManager;
import io.holdfast.weaving.LockedMethod.Fallback;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A method with {@link Lock}, for weavers that intercept calls by reflection. Immutable; made once per method. */
public final class AnnotatedMethod {
    private final LockedMethod method;
    private final List<PropertyPath> placeholders;
    private final List<Integer> leaseParameters;
    private final @Nullable FallbackMethod fallback;

    private AnnotatedMethod(
            LockedMethod method,
            List<PropertyPath> placeholders,
            List<Integer> leaseParameters,
            @Nullable FallbackMethod fallback) {
        this.method = method;
        this.placeholders = placeholders;
        this.leaseParameters = leaseParameters;
        this.fallback = fallback;
    }

    /**
     * The method and its locks, or nothing when it has none.
     *
     * @param method as the caller sees it
     * @param target the class of the object it is called on; the annotation there counts, else that of a class or interface
     *     it inherits the method from
     * @throws IllegalArgumentException when the annotation is wrong; says where and why
     */
    public static Optional<AnnotatedMethod> find(Method method, Class<?> target) {
        return annotated(method, target).map(annotated -> of(annotated, target));
    }

    /** Whether {@link #find} would find something, right or wrong. */
    public static boolean exists(Method method, Class<?> target) {
        return annotated(method, target).isPresent();
    }

    private static Optional<Method> annotated(Method method, Class<?> target) {
        return Inherited.methods(method, target)
                .filter(candidate -> candidate.getAnnotationsByType(Lock.class).length > 0)
                .findFirst();
    }

    private static AnnotatedMethod of(Method method, Class<?> target) {
        String name = target.getSimpleName() + "." + method.getName();
        try {
            return checked(name, method, target);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@Lock on " + name + ": " + e.getMessage(), e);
        }
    }

    private static AnnotatedMethod checked(String name, Method method, Class<?> target) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw new IllegalArgumentException(SignatureRules.outOfReach());
        }
        MethodLock[] locks = Stream.of(method.getAnnotationsByType(Lock.class))
                .map(MethodLock::of)
                .toArray(MethodLock[]::new);
        LockedMethod locked = LockedMethod.of(name, method.getReturnType(), locks);
        MethodLock policy = LockedMethod.busyPolicy(List.of(locks));
        return new AnnotatedMethod(
                locked,
                placeholders(method, locks),
                leaseParameters(method, locks.length),
                policy.onBusy() == BusyPolicy.FALLBACK ? FallbackMethod.find(policy.fallback(), method, target) : null);
    }

    private static List<PropertyPath> placeholders(Method method, MethodLock[] locks) {
        List<PropertyPath> found = new ArrayList<>();
        for (MethodLock lock : locks) {
            Stream.of(lock.key(), lock.owner())
                    .flatMap(template -> template == null ? Stream.empty() : template.placeholders().stream())
                    .forEach(path -> found.add(placeholder(method, path)));
        }
        return found;
    }

    private static PropertyPath placeholder(Method method, List<String> path) {
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (!parameters[i].isNamePresent()) {
                throw new IllegalArgumentException(
                        "the names of its parameters are not in the class file; compile with " + "-parameters to use {"
                                + path.get(0) + "}");
            }
            if (parameters[i].getName().equals(path.get(0))) {
                return PropertyPath.of(i, parameters[i].getType(), path.subList(1, path.size()));
            }
        }
        throw new IllegalArgumentException(SignatureRules.noParameter(
                path.get(0), Stream.of(parameters).map(Parameter::getName).toList()));
    }

    private static List<Integer> leaseParameters(Method method, int locks) {
        List<Integer> found = new ArrayList<>();
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == Lease.class) {
                found.add(i);
            }
        }
        if (found.size() > locks) {
            throw new IllegalArgumentException(SignatureRules.tooManyLeases(found.size(), locks));
        }
        return found;
    }

    /**
     * Checks the locks against the manager's defaults. Sends nothing.
     *
     * @return this
     * @throws IllegalArgumentException saying what does not go together
     */
    public AnnotatedMethod check(LockManager manager) {
        method.check(manager);
        return this;
    }

    /**
     * Runs the method under its locks.
     *
     * @param target what a fallback is called on
     * @param arguments of the call; where the method has a parameter of type {@link Lease}, the lease takes its place
     * @param body the method itself
     * @throws Throwable what the method throws, or what keeps it from running
     */
    public @Nullable Object call(LockManager manager, Object target, @Nullable Object[] arguments, Body body)
            throws Throwable {
        @Nullable Object[] values = new @Nullable Object[placeholders.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = placeholders.get(i).read(arguments);
        }
        Fallback<Object> instead = fallback == null ? null : busy -> fallback.call(target, arguments, busy);
        return method.<Object>call(manager, values, leases -> body.run(withLeases(arguments, leases)), instead);
    }

    private @Nullable Object[] withLeases(@Nullable Object[] arguments, List<Lease> leases) {
        if (leaseParameters.isEmpty()) {
            return arguments;
        }
        @Nullable Object[] all = arguments.clone();
        for (int i = 0; i < leaseParameters.size(); i++) {
            all[leaseParameters.get(i)] = leases.get(i);
        }
        return all;
    }

    @Override
    public String toString() {
        return method.toString();
    }

    /** What runs under the locks. */
    @FunctionalInterface
    public interface Body {
        /** Runs it with these arguments. */
        @Nullable
        Object run(@Nullable Object[] arguments) throws Throwable;
    }
}
