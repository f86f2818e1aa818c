//go:build amd64 && !purego

#include "textflag.h"

// Byte orders for VPSHUFB. Both 128-bit halves are the same unless a comment describes them.

// interleave makes R R G G B B A A of the neighboring pixels R G B A R G B A.
DATA interleave<>+0(SB)/8, $0x0703060205010400
DATA interleave<>+8(SB)/8, $0x0f0b0e0a0d090c08
DATA interleave<>+16(SB)/8, $0x0703060205010400
DATA interleave<>+24(SB)/8, $0x0f0b0e0a0d090c08
GLOBL interleave<>(SB), RODATA|NOPTR, $32

// pairs repeats the two weights of a pixel for its four channels. The lower half is for the
// pixels 0 and 1, the upper half for 2 and 3.
DATA pairs<>+0(SB)/8, $0x0100010001000100
DATA pairs<>+8(SB)/8, $0x0302030203020302
DATA pairs<>+16(SB)/8, $0x0504050405040504
DATA pairs<>+24(SB)/8, $0x0706070607060706
GLOBL pairs<>(SB), RODATA|NOPTR, $32

// words makes R R G G B B A A, in 16-bit words, of two neighboring pixels in a row of sums.
DATA words<>+0(SB)/8, $0x0b0a030209080100
DATA words<>+8(SB)/8, $0x0f0e07060d0c0504
DATA words<>+16(SB)/8, $0x0b0a030209080100
DATA words<>+24(SB)/8, $0x0f0e07060d0c0504
GLOBL words<>(SB), RODATA|NOPTR, $32

// quads repeats the weights 0 and 1 of four in the lower half, and 2 and 3 in the upper half.
DATA quads<>+0(SB)/8, $0x0302010003020100
DATA quads<>+8(SB)/8, $0x0302010003020100
DATA quads<>+16(SB)/8, $0x0706050407060504
DATA quads<>+24(SB)/8, $0x0706050407060504
GLOBL quads<>(SB), RODATA|NOPTR, $32

// The second factor of VPMADDUBSW is signed, so exclusive-or with 128 makes pixels signed.
// Weights add up to 128 or 256, so sums fit in signed 16-bit words. Each sum is too low by
// 128 times the sum of the weights. The last step corrects this with another exclusive-or.
DATA sign8<>+0(SB)/1, $0x80
GLOBL sign8<>(SB), RODATA|NOPTR, $1

// func filterAsm(row *uint64, src *byte, base *int32, perm, pair *byte, groups int)
TEXT ·filterAsm(SB), NOSPLIT, $0-48
	MOVQ row+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ base+16(FP), R8
	MOVQ perm+24(FP), R9
	MOVQ pair+32(FP), R10
	MOVQ groups+40(FP), CX
	VMOVDQU interleave<>(SB), Y13
	VMOVDQU pairs<>(SB), Y14
	VPBROADCASTB sign8<>(SB), Y15
	XORQ BX, BX

filter:
	MOVLQSX (R8)(BX*4), AX
	VPMOVZXBD (R9)(BX*8), Y0
	VPERMD (SI)(AX*1), Y0, Y1      // left and right pixels for four columns
	VPSHUFB Y13, Y1, Y1
	VPXOR Y15, Y1, Y1
	VPBROADCASTQ (R10)(BX*8), Y2
	VPSHUFB Y14, Y2, Y2
	VPMADDUBSW Y1, Y2, Y1
	VMOVDQU Y1, (DI)
	ADDQ $32, DI
	INCQ BX
	CMPQ BX, CX
	JLT filter
	VZEROUPPER
	RET

// func blendAsm(dst *byte, a, b *uint64, weight, blocks int)
TEXT ·blendAsm(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ weight+24(FP), AX
	MOVQ blocks+32(FP), CX
	VMOVD AX, X12
	VPBROADCASTW X12, Y12
	MOVL $256, AX                  // VPMULHRSW with 256 shifts right by 7 and rounds
	VMOVD AX, X13
	VPBROADCASTW X13, Y13
	VPBROADCASTB sign8<>(SB), Y15

blend:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU (DX), Y2
	VMOVDQU 32(DX), Y3
	VPSUBW Y0, Y2, Y2
	VPSUBW Y1, Y3, Y3
	VPMULHRSW Y12, Y2, Y2
	VPMULHRSW Y12, Y3, Y3
	VPADDW Y0, Y2, Y2
	VPADDW Y1, Y3, Y3
	VPMULHRSW Y13, Y2, Y2
	VPMULHRSW Y13, Y3, Y3
	VPACKSSWB Y3, Y2, Y2           // pixels 0 1 4 5 | 2 3 6 7
	VPERMQ $0xd8, Y2, Y2
	VPXOR Y15, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $64, SI
	ADDQ $64, DX
	ADDQ $32, DI
	DECQ CX
	JNZ blend
	VZEROUPPER
	RET

// func sumAsm(row *uint64, src *byte, off *int, w *uint8, taps, blocks int)
TEXT ·sumAsm(SB), NOSPLIT, $0-48
	MOVQ row+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ off+16(FP), R8
	MOVQ w+24(FP), R9
	MOVQ taps+32(FP), R10
	MOVQ blocks+40(FP), CX
	VPBROADCASTB sign8<>(SB), Y15

block:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ BX, BX

tap:
	MOVQ (R8)(BX*8), AX
	MOVQ 8(R8)(BX*8), DX
	VPXOR (SI)(AX*1), Y15, Y2
	VPXOR (SI)(DX*1), Y15, Y3
	VPBROADCASTW (R9)(BX*1), Y4
	VPUNPCKLBW Y3, Y2, Y5
	VPUNPCKHBW Y3, Y2, Y6
	VPMADDUBSW Y5, Y4, Y5
	VPMADDUBSW Y6, Y4, Y6
	VPADDW Y5, Y0, Y0
	VPADDW Y6, Y1, Y1
	ADDQ $2, BX
	CMPQ BX, R10
	JLT tap

	// Y0 has pixels 0 1 | 4 5, Y1 has 2 3 | 6 7.
	VPERM2I128 $0x20, Y1, Y0, Y2
	VPERM2I128 $0x31, Y1, Y0, Y3
	VMOVDQU Y2, (DI)
	VMOVDQU Y3, 32(DI)
	ADDQ $32, SI
	ADDQ $64, DI
	DECQ CX
	JNZ block
	VZEROUPPER
	RET

// func shrinkAsm(dst *byte, row *uint64, start *int32, weight *uint16, quads, groups int)
//
// Each of the four pixels has an accumulator of eight dwords: R G B A of the columns 0 and 1
// of each quad in the lower half, and of the columns 2 and 3 in the upper half.
TEXT ·shrinkAsm(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ start+16(FP), R8
	MOVQ weight+24(FP), R9
	MOVQ quads+32(FP), R10
	MOVQ groups+40(FP), CX
	MOVQ R10, R14
	SHLQ $3, R14                   // bytes of weights for each pixel
	LEAQ (R14)(R14*2), R15
	VMOVDQU words<>(SB), Y12
	VMOVDQU quads<>(SB), Y13
	MOVL $0x200000, AX             // half of 2²²
	VMOVD AX, X14
	VPBROADCASTD X14, Y14
	VPBROADCASTB sign8<>(SB), Y15

group:
	MOVLQSX (R8), R11
	MOVLQSX 4(R8), R12
	MOVLQSX 8(R8), R13
	MOVLQSX 12(R8), AX
	LEAQ (SI)(R11*8), R11
	LEAQ (SI)(R12*8), R12
	LEAQ (SI)(R13*8), R13
	LEAQ (SI)(AX*8), AX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	MOVQ R10, BX

quad:
	VMOVDQU (R11), Y4
	VMOVDQU (R12), Y5
	VMOVDQU (R13), Y6
	VMOVDQU (AX), Y7
	VPBROADCASTQ (R9), Y8
	VPBROADCASTQ (R9)(R14*1), Y9
	VPBROADCASTQ (R9)(R14*2), Y10
	VPBROADCASTQ (R9)(R15*1), Y11
	VPSHUFB Y12, Y4, Y4
	VPSHUFB Y12, Y5, Y5
	VPSHUFB Y12, Y6, Y6
	VPSHUFB Y12, Y7, Y7
	VPSHUFB Y13, Y8, Y8
	VPSHUFB Y13, Y9, Y9
	VPSHUFB Y13, Y10, Y10
	VPSHUFB Y13, Y11, Y11
	VPMADDWD Y8, Y4, Y4
	VPMADDWD Y9, Y5, Y5
	VPMADDWD Y10, Y6, Y6
	VPMADDWD Y11, Y7, Y7
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	VPADDD Y6, Y2, Y2
	VPADDD Y7, Y3, Y3
	ADDQ $32, R11
	ADDQ $32, R12
	ADDQ $32, R13
	ADDQ $32, AX
	ADDQ $8, R9
	DECQ BX
	JNZ quad

	// Add the halves of each accumulator. Then the pixels 0 and 2 share a register, and 1 and 3 too.
	VPERM2I128 $0x20, Y2, Y0, Y4
	VPERM2I128 $0x31, Y2, Y0, Y5
	VPERM2I128 $0x20, Y3, Y1, Y6
	VPERM2I128 $0x31, Y3, Y1, Y7
	VPADDD Y5, Y4, Y4
	VPADDD Y7, Y6, Y6
	VPADDD Y14, Y4, Y4
	VPADDD Y14, Y6, Y6
	VPSRAD $22, Y4, Y4
	VPSRAD $22, Y6, Y6
	VPACKSSDW Y6, Y4, Y4           // words of the pixels 0 1 | 2 3
	VPACKSSWB Y4, Y4, Y4
	VPERMQ $0x08, Y4, Y4
	VPXOR X15, X4, X4
	VMOVDQU X4, (DI)
	ADDQ $16, DI
	ADDQ $16, R8
	ADDQ R15, R9                   // skip the weights of the other three pixels
	DECQ CX
	JNZ group
	VZEROUPPER
	RET
