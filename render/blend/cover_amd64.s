//go:build amd64 && !purego

#include "textflag.h"

// spread repeats a coverage in the four words of its pixel. VPMOVZXBQ has put the coverage into the first of eight bytes.
DATA spread<>+0(SB)/8, $0x8000800080008000
DATA spread<>+8(SB)/8, $0x8008800880088008
GLOBL spread<>(SB), RODATA|NOPTR, $16

// X0 has the words of the color, X1 has 128, and X3 has spread. X5 has the pixels as words, and X4 has the coverage.

// LERP does the same as lerp in cover.go: d<<8 + (p-d)*c + 128, where c is stretched to 0..256.
#define LERP(R0, R1, R3, R4, R5, R6) \
	VPSHUFB R3, R4, R4; \
	VPSRLW $7, R4, R6; \
	VPADDW R6, R4, R4; \
	VPSUBW R5, R0, R6; \
	VPMULLW R4, R6, R6; \
	VPSLLW $8, R5, R5; \
	VPADDW R6, R5, R5; \
	VPADDW R1, R5, R5; \
	VPSRLW $8, R5, R5

// MIX does the same as mix in cover.go. It first computes the share of the old pixel that remains. R7 has the color's alpha,
// R8 has 257, and R9 has 255. The upper word of t*257 is (t + t>>8) >> 8.
#define MIX(R0, R1, R3, R4, R5, R6, R7, R8, R9) \
	VPSHUFB R3, R4, R4; \
	VPMULLW R7, R4, R6; \
	VPADDW R1, R6, R6; \
	VPMULHUW R8, R6, R6; \
	VPSUBW R6, R9, R6; \
	VPMULLW R0, R4, R4; \
	VPMULLW R6, R5, R5; \
	VPADDW R4, R5, R5; \
	VPADDW R1, R5, R5; \
	VPMULHUW R8, R5, R5

#define LERPY LERP(Y0, Y1, Y3, Y4, Y5, Y6)
#define LERPX LERP(X0, X1, X3, X4, X5, X6)
#define MIXY MIX(Y0, Y1, Y3, Y4, Y5, Y6, Y7, Y8, Y9)
#define MIXX MIX(X0, X1, X3, X4, X5, X6, X7, X8, X9)

// ROWS processes h rows of w pixels. It takes four pixels at a time, then two, then one.
#define ROWS(STEPY, STEPX) \
row: \
	MOVQ R8, DI; \
	MOVQ R10, SI; \
	MOVQ R12, CX; \
	SUBQ $4, CX; \
	JL two; \
four: \
	VPMOVZXBQ (SI), Y4; \
	VPMOVZXBW (DI), Y5; \
	STEPY; \
	VEXTRACTI128 $1, Y5, X6; \
	VPACKUSWB X6, X5, X5; \
	VMOVDQU X5, (DI); \
	ADDQ $16, DI; \
	ADDQ $4, SI; \
	SUBQ $4, CX; \
	JGE four; \
two: \
	TESTQ $2, CX; \
	JZ one; \
	MOVWLZX (SI), AX; \
	VMOVD AX, X4; \
	VPMOVZXBQ X4, X4; \
	VPMOVZXBW (DI), X5; \
	STEPX; \
	VPACKUSWB X5, X5, X5; \
	VMOVQ X5, (DI); \
	ADDQ $8, DI; \
	ADDQ $2, SI; \
one: \
	TESTQ $1, CX; \
	JZ next; \
	MOVBLZX (SI), AX; \
	VMOVD AX, X4; \
	VMOVD (DI), X5; \
	VPMOVZXBW X5, X5; \
	STEPX; \
	VPACKUSWB X5, X5, X5; \
	VMOVD X5, (DI); \
next: \
	ADDQ R9, R8; \
	ADDQ R11, R10; \
	DECQ R13; \
	JNZ row

#define ARGUMENTS \
	MOVQ dst+0(FP), R8; \
	MOVQ stride+8(FP), R9; \
	MOVQ cover+16(FP), R10; \
	MOVQ coverStride+24(FP), R11; \
	MOVQ w+32(FP), R12; \
	MOVQ h+40(FP), R13; \
	MOVL col+48(FP), AX; \
	VMOVD AX, X0; \
	VPBROADCASTD X0, X0; \
	VPMOVZXBW X0, Y0; \
	MOVL $128, AX; \
	VMOVD AX, X1; \
	VPBROADCASTW X1, Y1; \
	VBROADCASTI128 spread<>(SB), Y3

// func lerpAVX2(dst *uint8, stride int, cover *uint8, coverStride, w, h int, col uint32)
TEXT ·lerpAVX2(SB), NOSPLIT, $0-52
	ARGUMENTS
	ROWS(LERPY, LERPX)
	VZEROUPPER
	RET

// func mixAVX2(dst *uint8, stride int, cover *uint8, coverStride, w, h int, col uint32)
TEXT ·mixAVX2(SB), NOSPLIT, $0-52
	ARGUMENTS
	MOVL col+48(FP), AX
	SHRL $24, AX
	VMOVD AX, X7
	VPBROADCASTW X7, Y7
	MOVL $257, AX
	VMOVD AX, X8
	VPBROADCASTW X8, Y8
	MOVL $255, AX
	VMOVD AX, X9
	VPBROADCASTW X9, Y9
	ROWS(MIXY, MIXX)
	VZEROUPPER
	RET
