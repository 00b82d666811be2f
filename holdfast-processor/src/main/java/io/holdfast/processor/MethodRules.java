// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.BusyPolicy;
import io.holdfast.Lock;
import io.holdfast.processor.WovenMethod.Placeholder;
import io.holdfast.weaving.KeyTemplate;
import io.holdfast.weaving.LockedMethod;
import io.holdfast.weaving.MethodLock;
import io.holdfast.weaving.ResultTypes;
import io.holdfast.weaving.SignatureRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** What an annotated method must be like. Told in the words of the run time, which has the same rules. */
final class MethodRules {
    private static final String REACTOR_RESULTS = "io.holdfast.reactor.ReactorResults";

    private final Tools tools;
    private final TypeElement type;

    MethodRules(Tools tools, TypeElement type) {
        this.tools = tools;
        this.type = type;
    }

    WovenMethod check(Annotated method) throws Refusal {
        checkModifiers(method);
        List<Lock> annotations = method.locks();
        List<MethodLock> locks = new ArrayList<>();
        for (int i = 0; i < annotations.size(); i++) {
            locks.add(checkElements(method, i, annotations.get(i)));
        }
        MethodLock policy = busyPolicy(method, locks);
        checkResult(method, locks);
        return new WovenMethod(
                method, placeholders(method, locks), leases(method, locks.size()), fallback(method, policy, locks));
    }

    private void checkModifiers(Annotated method) throws Refusal {
        Set<Modifier> modifiers = method.method().getModifiers();
        if (modifiers.contains(Modifier.PRIVATE) || modifiers.contains(Modifier.STATIC)) {
            throw new Refusal(method, 0, null, SignatureRules.outOfReach());
        }
        if (modifiers.contains(Modifier.FINAL)) {
            throw new Refusal(method, 0, null, "a final method can't be woven: what takes the lock overrides it");
        }
        Element hidden = tools.weave() ? new Visibility(tools, type).hidden(method.method()) : null;
        if (hidden != null) {
            throw new Refusal(
                    method, 0, null, hidden.getSimpleName() + " is not visible, and what takes the lock names it");
        }
        if (modifiers.contains(Modifier.ABSTRACT) && type.getKind().isClass()) {
            throw new Refusal(
                    method,
                    0,
                    null,
                    "an abstract method has nothing to run under the lock: annotate what implements it");
        }
    }

    private static MethodLock checkElements(Annotated method, int lock, Lock annotation) throws Refusal {
        checkTemplate(method, lock, "key", annotation.key());
        checkTemplate(method, lock, "value", annotation.value());
        checkTemplate(method, lock, "owner", annotation.owner());
        try {
            return MethodLock.of(annotation);
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    method, lock, blamed(method, lock, String.valueOf(e.getMessage())), String.valueOf(e.getMessage()));
        }
    }

    private static void checkTemplate(Annotated method, int lock, String element, String template) throws Refusal {
        try {
            if (!template.isEmpty()) {
                KeyTemplate.parse(template);
            }
        } catch (IllegalArgumentException e) {
            throw new Refusal(method, lock, element, String.valueOf(e.getMessage()));
        }
    }

    /** A message begins with the option it is about, whose name is the element's without its unit. */
    private static @Nullable String blamed(Annotated method, int lock, String message) {
        return method.mirror(lock).getElementValues().keySet().stream()
                .map(element -> element.getSimpleName().toString())
                .filter(element -> message.startsWith(element.replaceFirst("Ms$", "")))
                .findFirst()
                .orElse(null);
    }

    private static MethodLock busyPolicy(Annotated method, List<MethodLock> locks) throws Refusal {
        try {
            return LockedMethod.busyPolicy(locks);
        } catch (IllegalArgumentException e) {
            throw new Refusal(method, 0, "onBusy", String.valueOf(e.getMessage()));
        }
    }

    private void checkResult(Annotated method, List<MethodLock> locks) throws Refusal {
        TypeMirror result = method.method().getReturnType();
        String name = tools.runtimeName(result);
        String refusal = ResultTypes.refusal(name, other -> tools.isA(result, other));
        if (refusal != null) {
            throw new Refusal(method, 0, null, refusal);
        }
        if (ResultTypes.needsReactor(name) && tools.elements().getTypeElement(REACTOR_RESULTS) == null) {
            throw new Refusal(method, 0, null, ResultTypes.noReactor(name));
        }
        for (int i = 0; i < locks.size(); i++) {
            String unskippable = ResultTypes.skipRefusal(name, result.getKind().isPrimitive());
            if (locks.get(i).onBusy() == BusyPolicy.SKIP && unskippable != null) {
                throw new Refusal(method, i, "onBusy", unskippable);
            }
        }
    }

    private List<Placeholder> placeholders(Annotated method, List<MethodLock> locks) throws Refusal {
        List<Placeholder> found = new ArrayList<>();
        for (int i = 0; i < locks.size(); i++) {
            String key = Annotated.value(method.mirror(i), "key") == null ? "value" : "key";
            for (List<String> path : locks.get(i).key().placeholders()) {
                found.add(placeholder(method, i, key, path));
            }
            KeyTemplate owner = locks.get(i).owner();
            for (List<String> path : owner == null ? List.<List<String>>of() : owner.placeholders()) {
                found.add(placeholder(method, i, "owner", path));
            }
        }
        return found;
    }

    private Placeholder placeholder(Annotated method, int lock, String element, List<String> path) throws Refusal {
        List<? extends VariableElement> parameters = method.annotated().getParameters();
        List<String> names =
                parameters.stream().map(each -> each.getSimpleName().toString()).toList();
        int parameter = names.indexOf(path.get(0));
        if (parameter < 0) {
            throw new Refusal(method, lock, element, SignatureRules.noParameter(path.get(0), names));
        }
        try {
            PropertySteps steps = new PropertySteps(tools, type);
            TypeMirror last = steps.follow(parameters.get(parameter).asType(), path.subList(1, path.size()));
            String refusal = SignatureRules.refusal(tools.runtimeName(last), last.getKind() == TypeKind.ARRAY);
            if (refusal != null) {
                throw new IllegalArgumentException(refusal);
            }
            return new Placeholder(parameter, steps.code());
        } catch (IllegalArgumentException e) {
            throw new Refusal(method, lock, element, "{" + String.join(".", path) + "}: " + e.getMessage());
        }
    }

    private List<Integer> leases(Annotated method, int locks) throws Refusal {
        List<Integer> found = new ArrayList<>();
        List<? extends VariableElement> parameters = method.method().getParameters();
        for (int i = 0; i < parameters.size(); i++) {
            if (tools.runtimeName(parameters.get(i).asType()).equals("io.holdfast.Lease")) {
                found.add(i);
            }
        }
        if (found.size() > locks) {
            throw new Refusal(method, 0, null, SignatureRules.tooManyLeases(found.size(), locks));
        }
        return found;
    }

    private @Nullable ExecutableElement fallback(Annotated method, MethodLock policy, List<MethodLock> locks)
            throws Refusal {
        if (policy.onBusy() != BusyPolicy.FALLBACK || (type.getKind().isInterface() && !tools.weave())) {
            return null; // behind an interface, an object may have it that is not known yet
        }
        try {
            return new Fallbacks(tools, type).find(policy.fallback(), method.method());
        } catch (IllegalArgumentException e) {
            throw new Refusal(method, locks.indexOf(policy), "fallback", String.valueOf(e.getMessage()));
        }
    }
}
