// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Tells which methods an instance method calls on {@code this}. It follows the operand stack, of which it knows only how deep
 * it is and which slots hold {@code this}. What it can't follow (copies in local variables, shuffled operands) it takes for
 * something else: it may miss a call, and does not make one up.
 */
final class CallsOnThis extends MethodVisitor {
    private final BiConsumer<String, String> called;
    private final Map<Label, Stack> atLabels = new HashMap<>();
    private Stack stack = Stack.EMPTY;

    /**
     * A visitor for one method that is not static.
     *
     * @param called gets the owner's internal name, and the method's name with its descriptor
     */
    CallsOnThis(BiConsumer<String, String> called) {
        super(SpringAsmInfo.ASM_VERSION);
        this.called = called;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        int sizes = Type.getArgumentsAndReturnSizes(descriptor);
        int arguments = sizes >> 2; // with the object itself
        if (opcode == Opcodes.INVOKESTATIC) {
            arguments--;
        } else if (stack.isThisBelow(arguments)) {
            called.accept(owner, name + descriptor);
        }
        stack = stack.moved(-arguments).moved(sizes & 3);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... constants) {
        int sizes = Type.getArgumentsAndReturnSizes(descriptor);
        int captured = (sizes >> 2) - 1;
        for (Object constant : constants) {
            // A method reference; the body of a lambda is visited as a method of its own.
            if (constant instanceof Handle handle
                    && handle.getTag() != Opcodes.H_INVOKESTATIC
                    && stack.isThisBelow(captured)) {
                called.accept(handle.getOwner(), handle.getName() + handle.getDesc());
            }
        }
        stack = stack.moved(-captured).moved(sizes & 3);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        boolean isThis = opcode == Opcodes.ALOAD && variable == 0;
        stack = isThis
                ? stack.withThis()
                : stack.moved(
                        switch (opcode) {
                            case Opcodes.ILOAD, Opcodes.FLOAD, Opcodes.ALOAD -> 1;
                            case Opcodes.LLOAD, Opcodes.DLOAD -> 2;
                            case Opcodes.LSTORE, Opcodes.DSTORE -> -2;
                            default -> -1;
                        });
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        int size = Type.getType(descriptor).getSize();
        stack = switch (opcode) {
            case Opcodes.GETSTATIC -> stack.moved(size);
            case Opcodes.GETFIELD -> stack.moved(-1).moved(size);
            case Opcodes.PUTFIELD -> stack.moved(-size - 1);
            default -> stack.moved(-size);
        };
    }

    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case Opcodes.DUP -> stack = stack.isThisBelow(1) ? stack.withThis() : stack.moved(1);
            case Opcodes.DUP_X1 -> stack = stack.shuffled(2).moved(1);
            case Opcodes.DUP_X2 -> stack = stack.shuffled(3).moved(1);
            case Opcodes.DUP2 -> stack = stack.shuffled(2).moved(2);
            case Opcodes.DUP2_X1 -> stack = stack.shuffled(3).moved(2);
            case Opcodes.DUP2_X2 -> stack = stack.shuffled(4).moved(2);
            case Opcodes.SWAP -> stack = stack.shuffled(2);
            default -> stack = ends(opcode) ? Stack.EMPTY : stack.moved(StackChange.of(opcode));
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        stack = stack.moved(opcode == Opcodes.NEWARRAY ? 0 : 1);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        stack = switch (opcode) {
            case Opcodes.NEW -> stack.moved(1);
            case Opcodes.CHECKCAST -> stack;
            default -> stack.moved(-1).moved(1);
        };
    }

    @Override
    public void visitLdcInsn(Object value) {
        boolean isWide = value instanceof Long
                || value instanceof Double
                || (value instanceof ConstantDynamic dynamic && dynamic.getSize() == 2);
        stack = stack.moved(isWide ? 2 : 1);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        stack = stack.moved(-dimensions).moved(1);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        stack = stack.moved(StackChange.of(opcode));
        atLabels.putIfAbsent(label, stack);
        if (opcode == Opcodes.GOTO) {
            stack = Stack.EMPTY;
        }
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        visitSwitch(otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        visitSwitch(otherwise, labels);
    }

    private void visitSwitch(Label otherwise, Label[] labels) {
        stack = stack.moved(-1);
        atLabels.putIfAbsent(otherwise, stack);
        for (Label label : labels) {
            atLabels.putIfAbsent(label, stack);
        }
        stack = Stack.EMPTY;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        atLabels.put(handler, Stack.EMPTY.moved(1));
    }

    @Override
    public void visitLabel(Label label) {
        stack = atLabels.getOrDefault(label, stack);
    }

    private static boolean ends(int opcode) {
        return opcode == Opcodes.ATHROW || (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN);
    }

    /** Immutable: the same may hold at many labels. */
    private record Stack(int depth, BitSet isThis) {
        static final Stack EMPTY = new Stack(0, new BitSet());

        boolean isThisBelow(int slots) {
            return slots > 0 && slots <= depth && isThis.get(depth - slots);
        }

        Stack withThis() {
            BitSet marked = (BitSet) isThis.clone();
            marked.set(depth);
            return new Stack(depth + 1, marked);
        }

        Stack moved(int slots) {
            int moved = Math.max(0, depth + slots);
            if (isThis.length() <= moved) {
                return new Stack(moved, isThis);
            }
            return new Stack(moved, isThis.get(0, moved));
        }

        Stack shuffled(int slots) {
            return new Stack(depth, isThis.get(0, Math.max(0, depth - slots)));
        }
    }
}
