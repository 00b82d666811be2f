// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** How methods and constructors of a type are declared again, seen from that type: its type arguments are in their place. */
final class Signatures {
    /** An interface may declare them again, but two objects that pass calls on are still two. */
    private static final Set<String> OF_OBJECT = Set.of("equals[java.lang.Object]", "hashCode[]", "toString[]");

    private final Tools tools;
    private final TypeNames names;
    private final TypeElement type;

    Signatures(Tools tools, TypeNames names, TypeElement type) {
        this.tools = tools;
        this.names = names;
        this.type = type;
    }

    /** What an interface has, by itself and inherited, beside the methods with locks. */
    List<Signature> passedOn(List<WovenMethod> locked) {
        Map<String, ExecutableElement> found = new LinkedHashMap<>();
        for (ExecutableElement method : ElementFilter.methodsIn(tools.elements().getAllMembers(type))) {
            if (Tools.declaring(method).getKind() == ElementKind.INTERFACE
                    && !method.getModifiers().contains(Modifier.STATIC)
                    && !method.getModifiers().contains(Modifier.PRIVATE)
                    && !OF_OBJECT.contains(erasure(method))) {
                found.merge(erasure(method), method, this::narrower);
            }
        }
        locked.forEach(woven -> found.remove(erasure(woven.annotated().method())));
        return found.values().stream().map(this::of).toList();
    }

    /** Two interfaces may both declare a method. */
    private ExecutableElement narrower(ExecutableElement one, ExecutableElement other) {
        return tools.types()
                        .isSubtype(member(one).getReturnType(), member(other).getReturnType())
                ? one
                : other;
    }

    private String erasure(ExecutableElement method) {
        return method.getSimpleName()
                + member(method).getParameterTypes().stream()
                        .map(parameter -> tools.types().erasure(parameter).toString())
                        .toList()
                        .toString();
    }

    private ExecutableType member(ExecutableElement method) {
        return (ExecutableType) tools.types().asMemberOf((DeclaredType) type.asType(), method);
    }

    Signature of(ExecutableElement method) {
        ExecutableType seen = member(method);
        List<String> declared = new ArrayList<>();
        List<String> called = new ArrayList<>();
        List<? extends VariableElement> parameters = method.getParameters();
        for (int i = 0; i < parameters.size(); i++) {
            boolean several = method.isVarArgs() && i == parameters.size() - 1;
            TypeMirror itsType = seen.getParameterTypes().get(i);
            String written = several ? names.of(((ArrayType) itsType).getComponentType()) + "..." : names.of(itsType);
            called.add(parameters.get(i).getSimpleName().toString());
            declared.add(names.nullness(parameters.get(i)) + written + " " + called.get(i));
        }
        String thrown = seen.getThrownTypes().stream().map(names::of).collect(Collectors.joining(", "));
        String typeParameters = names.declared(method.getTypeParameters());
        return new Signature(
                method,
                access(method),
                typeParameters.isEmpty() ? "" : typeParameters + " ",
                names.nullness(method) + names.of(seen.getReturnType()),
                declared,
                called,
                thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String access(ExecutableElement method) {
        Set<Modifier> modifiers = method.getModifiers();
        return modifiers.contains(Modifier.PUBLIC)
                ? "public "
                : modifiers.contains(Modifier.PROTECTED) ? "protected " : "";
    }

    /**
     * A method's or constructor's parts, as source code.
     *
     * @param method which
     * @param access its modifier and a space
     * @param typeParameters with a space after them, or nothing
     * @param result its type
     * @param parameters each with its type
     * @param names of the parameters
     * @param thrown with the keyword, or nothing
     */
    record Signature(
            ExecutableElement method,
            String access,
            String typeParameters,
            String result,
            List<String> parameters,
            List<String> names,
            String thrown) {

        String name() {
            return method.getSimpleName().toString();
        }

        String declaration() {
            return access + typeParameters + result + " " + name() + "(" + String.join(", ", parameters) + ")" + thrown;
        }

        boolean isVoid() {
            return method.getReturnType().getKind() == TypeKind.VOID;
        }

        /** That name, or one like it that no parameter has. */
        String free(String name) {
            String free = name;
            while (names.contains(free)) {
                free += "_";
            }
            return free;
        }
    }
}
