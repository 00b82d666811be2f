// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Searches the byte code of a class for calls of its own methods with locks on {@code this}: they bypass the proxy. A call
 * through another reference, such as the bean injected into itself, is none.
 */
final class SelfInvocations extends ClassVisitor {
    private static final Logger log = LoggerFactory.getLogger(SelfInvocations.class);

    private final Class<?> type;
    private final Set<String> locked;
    private final Set<String> owners;
    private final Set<String> found = new LinkedHashSet<>();

    private SelfInvocations(Class<?> type, Set<Method> locked) {
        super(SpringAsmInfo.ASM_VERSION);
        this.type = type;
        this.locked = locked.stream()
                .map(method -> method.getName() + Type.getMethodDescriptor(method))
                .collect(Collectors.toSet());
        this.owners =
                LockedMethods.classes(type).stream().map(Type::getInternalName).collect(Collectors.toSet());
    }

    /** Each as "Orders.payAll calls pay". */
    static Set<String> in(Class<?> type, Set<Method> locked) {
        SelfInvocations search = new SelfInvocations(type, locked);
        if (!locked.isEmpty()) {
            LockedMethods.classes(type).forEach(search::read);
        }
        return search.found;
    }

    private void read(Class<?> at) {
        try (InputStream code = at.getResourceAsStream(ClassUtils.getClassFileName(at))) {
            if (code != null) {
                new ClassReader(code).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException e) {
            log.debug("{} can't be searched for calls on itself", at, e); // a native image, or newer byte code
        }
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        boolean isBridge = (access & Opcodes.ACC_BRIDGE) != 0; // it is the callee under another signature
        String caller = name + descriptor;
        return isStatic || isBridge
                ? null
                : new CallsOnThis((owner, callee) -> {
                    // What overrides or repeats a method has its lock already.
                    if (owners.contains(owner) && locked.contains(callee) && !callee.equals(caller)) {
                        report(name, callee);
                    }
                });
    }

    private void report(String caller, String callee) {
        found.add(type.getSimpleName() + "." + readable(caller) + " calls " + callee.substring(0, callee.indexOf('(')));
    }

    /** The body of a lambda is a method of its own, {@code lambda$payAll$0}. */
    private static String readable(String name) {
        if (name.startsWith("lambda$")) {
            return name.substring("lambda$".length(), name.lastIndexOf('$'));
        }
        return name.equals("<init>") ? "the constructor" : name;
    }
}
