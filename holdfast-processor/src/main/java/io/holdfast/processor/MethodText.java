// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.processor.Signatures.Signature;
import io.holdfast.processor.WovenMethod.Placeholder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;

/** Writes the methods of a generated class. */
final class MethodText {
    private final TypeNames names;
    private final Signatures signatures;
    private final String target;

    /** @param target what has the method itself: {@code super}, or the delegate */
    MethodText(TypeNames names, Signatures signatures, String target) {
        this.names = names;
        this.signatures = signatures;
        this.target = target;
    }

    /** One that is called as it is. */
    void passedOn(SourceText body, Signature method) {
        open(body, method);
        String call = target + "." + method.name() + "(" + String.join(", ", method.names()) + ");";
        body.line((method.isVoid() ? "" : "return ") + call).close();
    }

    /** One that is called under its locks. */
    void locked(SourceText body, WovenMethod woven, String constant) {
        Signature method = signatures.of(woven.annotated().method());
        open(body, method);
        String leases = method.free("leases");
        List<String> arguments = new ArrayList<>(method.names());
        for (int i = 0; i < woven.leases().size(); i++) {
            arguments.set(woven.leases().get(i), leases + ".get(" + i + ")");
        }
        String call = target + "." + method.name() + "(" + String.join(", ", arguments) + ")";
        StringBuilder text = new StringBuilder(method.isVoid() ? "" : "return ")
                .append(constant)
                .append(".call(\n        this.locks,\n        ")
                .append(values(woven, method))
                .append(",\n        ")
                .append(lambda(leases, call, method));
        ExecutableElement fallback = woven.fallback();
        if (fallback != null) {
            String busy = method.free("busy");
            text.append(",\n        ").append(lambda(busy, fallback(fallback, method, busy), method));
        }
        body.line(text.append(");").toString()).close();
    }

    private void open(SourceText body, Signature method) {
        body.blank();
        body.line("@" + names.of("java.lang.Override"));
        String access = target.equals("super") ? "" : method.access().isEmpty() ? "public " : "";
        body.open(access + method.declaration());
    }

    private static String lambda(String parameter, String call, Signature method) {
        return parameter + " -> "
                + (method.isVoid() ? "{\n            " + call + ";\n            return null;\n        }" : call);
    }

    private String fallback(ExecutableElement fallback, Signature method, String busy) {
        List<String> arguments = new ArrayList<>(method.names());
        if (Fallbacks.takesException(fallback, method.method())) {
            arguments.add(busy);
        }
        String on = fallback.getModifiers().contains(Modifier.STATIC)
                ? names.erased(Tools.declaring(fallback).asType())
                : "this";
        return on + "." + fallback.getSimpleName() + "(" + String.join(", ", arguments) + ")";
    }

    private String values(WovenMethod woven, Signature method) {
        return woven.values().stream()
                .map(value -> value(value, method))
                .collect(Collectors.joining(", ", "new " + names.of("java.lang.Object") + "[] {", "}"));
    }

    /** Null where something on the way is. */
    private String value(Placeholder value, Signature method) {
        String at = method.free("at");
        String read = method.names().get(value.parameter());
        for (String step : value.steps()) {
            read = names.of("io.holdfast.weaving.LockedMethod") + ".property(" + read + ", " + at + " -> " + at + "."
                    + step + ")";
        }
        return read;
    }
}
