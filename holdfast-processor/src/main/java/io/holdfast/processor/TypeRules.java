// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/** Which types something can be generated for: those that another class of their package can extend or implement. */
final class TypeRules {
    private TypeRules() {}

    static void check(Tools tools, TypeElement type, Annotated method) throws Refusal {
        String refusal = refusal(tools, type);
        if (refusal != null) {
            throw new Refusal(method, 0, null, refusal);
        }
    }

    private static @Nullable String refusal(Tools tools, TypeElement type) {
        String name = type.getSimpleName().toString();
        if (type.getKind() != ElementKind.CLASS && type.getKind() != ElementKind.INTERFACE) {
            return type.getKind() + " " + name + " can't be woven: nothing can extend it";
        }
        Set<Modifier> modifiers = type.getModifiers();
        if (modifiers.contains(Modifier.FINAL) || modifiers.contains(Modifier.SEALED)) {
            return name + " is " + (modifiers.contains(Modifier.FINAL) ? "final" : "sealed")
                    + ", and what takes the lock would have to extend it: annotate an interface, or let it be extended";
        }
        if (type.getNestingKind() == NestingKind.MEMBER && !modifiers.contains(Modifier.STATIC)) {
            return name + " is an inner class, which only an object of its outer class can make: make it static";
        }
        for (Element at = type; at instanceof TypeElement; at = at.getEnclosingElement()) {
            if (at.getModifiers().contains(Modifier.PRIVATE)) {
                return at.getSimpleName() + " is private: what takes the lock would have to see it";
            }
        }
        boolean extensible = type.getKind() == ElementKind.INTERFACE
                || ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
                        .anyMatch(constructor -> isCallable(tools, constructor));
        return extensible ? null : name + " has only private constructors, so that nothing can extend it";
    }

    /** Whether a subclass in its package can call it. */
    static boolean isCallable(Tools tools, ExecutableElement constructor) {
        return !constructor.getModifiers().contains(Modifier.PRIVATE)
                && new Visibility(tools, Tools.declaring(constructor)).hidden(constructor) == null;
    }
}
