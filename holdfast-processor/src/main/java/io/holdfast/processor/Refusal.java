// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.Lock;
import java.io.Serial;
import java.util.List;
import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/** What is wrong with an annotation, and where. Never leaves the processor. */
final class Refusal extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Annotated method;
    private final int lock;
    private final transient @Nullable AnnotationMirror mirror;
    private final transient @Nullable AnnotationValue value;

    Refusal(Annotated method, int lock, @Nullable String element, String message) {
        super(message);
        this.method = method;
        this.lock = lock;
        this.mirror = method.mirror(lock);
        this.value = element == null ? null : Annotated.value(mirror, element);
    }

    /** At the annotation; at the class when that has inherited it, from where there may be no source. */
    void report(TypeElement type, Messager messager) {
        String text = name() + " on " + type.getSimpleName() + "." + method.name() + ": " + getMessage();
        ExecutableElement at = method.annotated();
        if (!Tools.declaring(at).equals(type)) {
            messager.printMessage(Diagnostic.Kind.ERROR, text, type);
        } else if (value == null) {
            messager.printMessage(Diagnostic.Kind.ERROR, text, at, mirror);
        } else {
            messager.printMessage(Diagnostic.Kind.ERROR, text, at, mirror, value);
        }
    }

    /** Of several, which one: the compiler points at the method then. */
    private String name() {
        List<Lock> locks = method.locks();
        return locks.size() == 1
                ? "@Lock"
                : "@Lock(\"" + locks.get(lock).key() + locks.get(lock).value() + "\")";
    }
}
