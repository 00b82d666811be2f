// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import static com.google.testing.compile.Compiler.javac;

import com.google.testing.compile.Compilation;
import com.google.testing.compile.JavaFileObjects;
import java.util.Arrays;
import java.util.List;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;

/** Compiles sources of a test with the processor. */
final class Compiled {
    private static final String IMPORTS = "import io.holdfast.*; import java.util.*; import java.util.concurrent.*; ";

    private Compiled() {}

    static Compilation sources(List<String> options, JavaFileObject... sources) {
        return javac().withProcessors(new LockProcessor()).withOptions(options).compile(sources);
    }

    static Compilation with(Processor other, JavaFileObject... sources) {
        return javac().withProcessors(new LockProcessor(), other).compile(sources);
    }

    /** A class of that name in the package shop. */
    static JavaFileObject source(String name, String... lines) {
        return JavaFileObjects.forSourceLines("shop." + name, lines(lines));
    }

    private static List<String> lines(String... lines) {
        List<String> all = new java.util.ArrayList<>(List.of("package shop; " + IMPORTS));
        all.addAll(Arrays.asList(lines));
        return all;
    }

    /** What the compiler complains of: the line, counted as in {@link #source}, and the message. */
    static List<String> errors(Compilation compilation) {
        return compilation.errors().stream().map(Compiled::told).toList();
    }

    private static String told(Diagnostic<?> error) {
        return error.getLineNumber() - 1 + ": " + error.getMessage(java.util.Locale.ROOT);
    }
}
