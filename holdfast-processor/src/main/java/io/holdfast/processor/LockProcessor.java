// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import io.holdfast.Lock;
import java.io.IOException;
import java.io.Writer;
import java.lang.annotation.AnnotationTypeMismatchException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.FilerException;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Fails the compilation where a {@link Lock} is wrong, and generates for each class with one a subclass, for each interface a
 * delegate, that takes the locks: {@code OrderService} becomes {@code OrderServiceLocked}, in the same package.
 *
 * <p>{@code -Aholdfast.weave=false} leaves the generating to somebody else, such as Spring, and keeps the checks.
 */
public final class LockProcessor extends AbstractProcessor {
    static final String WEAVE = "holdfast.weave";

    private final Set<String> unresolved = new LinkedHashSet<>();

    /** For the compiler, which finds it as a service. */
    public LockProcessor() {}

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(Lock.class.getCanonicalName(), Lock.List.class.getCanonicalName());
    }

    @Override
    public Set<String> getSupportedOptions() {
        return Set.of(WEAVE);
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (round.processingOver()) {
            return false; // what is unresolved now is the compiler's to tell
        }
        Tools tools = Tools.of(processingEnv);
        Set<TypeElement> found = new LinkedHashSet<>();
        unresolved.forEach(name -> found.add(tools.elements().getTypeElement(name)));
        unresolved.clear();
        for (TypeElement annotation : annotations) {
            for (Element method : round.getElementsAnnotatedWith(annotation)) {
                found.add(Tools.declaring((ExecutableElement) method));
            }
        }
        for (TypeElement type : found) {
            if (Unresolved.isIn(type)) { // another processor may generate it in this round
                unresolved.add(type.getQualifiedName().toString());
            } else {
                weave(type, tools);
            }
        }
        return false;
    }

    private void weave(TypeElement type, Tools tools) {
        List<WovenMethod> woven = new ArrayList<>();
        boolean sound = true;
        for (Annotated annotated : Annotated.allOf(type, tools)) {
            try {
                if (tools.weave()) {
                    TypeRules.check(tools, type, annotated);
                }
                woven.add(new MethodRules(tools, type).check(annotated));
            } catch (Refusal refusal) {
                refusal.report(type, tools.messager());
                sound = false;
            } catch (AnnotationTypeMismatchException | EnumConstantNotPresentException e) {
                unresolved.add(type.getQualifiedName().toString()); // a constant that does not exist, or not yet
                return;
            }
        }
        if (sound && tools.weave()) {
            write(type, new LockedSource(tools, type, woven));
        }
    }

    private void write(TypeElement type, LockedSource source) {
        try (Writer file =
                processingEnv.getFiler().createSourceFile(source.name(), type).openWriter()) {
            file.write(source.text());
        } catch (FilerException e) {
            tell(type, source.name() + " is to be generated for @Lock, but there is one already");
        } catch (IOException e) {
            tell(type, "can't write " + source.name() + ": " + e.getMessage());
        }
    }

    private void tell(TypeElement type, String message) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message, type);
    }
}
