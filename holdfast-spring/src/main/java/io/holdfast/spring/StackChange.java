// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.springframework.asm.Opcodes.*;

/** By how many slots the operand stack grows with an instruction that has no operands in the code, or jumps. */
final class StackChange {
    private StackChange() {}

    static int of(int opcode) {
        return switch (opcode) {
            case LCONST_0, LCONST_1, DCONST_0, DCONST_1 -> 2;
            case ACONST_NULL, ICONST_M1, ICONST_0, ICONST_1, ICONST_2, ICONST_3, ICONST_4, ICONST_5 -> 1;
            case FCONST_0, FCONST_1, FCONST_2, I2L, I2D, F2L, F2D -> 1;
            case IALOAD, FALOAD, AALOAD, BALOAD, CALOAD, SALOAD, POP, MONITORENTER, MONITOREXIT -> -1;
            case IADD, ISUB, IMUL, IDIV, IREM, IAND, IOR, IXOR, FADD, FSUB, FMUL, FDIV, FREM -> -1;
            case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR, L2I, L2F, D2I, D2F, FCMPL, FCMPG -> -1;
            case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> -1;
            case LADD, LSUB, LMUL, LDIV, LREM, LAND, LOR, LXOR, DADD, DSUB, DMUL, DDIV, DREM, POP2 -> -2;
            case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE, IF_ACMPEQ, IF_ACMPNE -> -2;
            case IASTORE, FASTORE, AASTORE, BASTORE, CASTORE, SASTORE, LCMP, DCMPL, DCMPG -> -3;
            case LASTORE, DASTORE -> -4;
            default -> 0;
        };
    }
}
