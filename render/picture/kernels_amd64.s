//go:build amd64 && !purego

#include "textflag.h"

// Bytes of four pixels in the order in which VPMADDWD adds pairs: red, green, blue, alpha of two pixels, then of the other two.
DATA pairs<>+0(SB)/8, $0x0703060205010400
DATA pairs<>+8(SB)/8, $0x0f0b0e0a0d090c08
GLOBL pairs<>(SB), RODATA|NOPTR, $16

// func acrossAVX2(dst *int32, src *uint8, starts *int32, weights *int16, n, groups int)
//
// A target pixel consists of four 32-bit sums. Then 128 is added, and the sum is shifted right by 8 bits.
TEXT ·acrossAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ starts+16(FP), BX
	MOVQ weights+24(FP), DX
	MOVQ n+32(FP), CX
	MOVQ groups+40(FP), R8
	VMOVDQU pairs<>(SB), X6
	MOVL $128, AX
	VMOVQ AX, X7
	VPBROADCASTD X7, X7

pixel:
	MOVLQSX (BX), AX
	ADDQ SI, AX
	VPXOR Y0, Y0, Y0
	MOVQ R8, R9

taps:
	VMOVDQU (AX), X1
	VPSHUFB X6, X1, X1
	VPMOVZXBW X1, Y1
	VPMADDWD (DX), Y1, Y1
	VPADDD Y1, Y0, Y0
	ADDQ $16, AX
	ADDQ $32, DX
	DECQ R9
	JNZ taps

	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPADDD X7, X0, X0
	VPSRAD $8, X0, X0
	VMOVDQU X0, (DI)
	ADDQ $16, DI
	ADDQ $4, BX
	DECQ CX
	JNZ pixel
	VZEROUPPER
	RET

// func mixAVX2(dst *uint8, lines *[]int32, weights *int32, rows, n int)
//
// n is a multiple of 16. lines are slices. A slice has three words.
TEXT ·mixAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ lines+8(FP), SI
	MOVQ weights+16(FP), DX
	MOVQ rows+24(FP), R8
	MOVQ n+32(FP), CX
	XORQ BX, BX
	VPXOR Y5, Y5, Y5
	MOVL $(1<<19), AX
	VMOVQ AX, X6
	VPBROADCASTD X6, Y6
	MOVL $255, AX
	VMOVQ AX, X7
	VPBROADCASTD X7, Y7

values:
	VMOVDQA Y6, Y0
	VMOVDQA Y6, Y1
	MOVQ SI, R10
	XORQ R9, R9

rows:
	MOVQ (R10), AX
	VPBROADCASTD (DX)(R9*4), Y4
	VPMULLD (AX)(BX*4), Y4, Y2
	VPMULLD 32(AX)(BX*4), Y4, Y3
	VPADDD Y2, Y0, Y0
	VPADDD Y3, Y1, Y1
	ADDQ $24, R10
	INCQ R9
	CMPQ R9, R8
	JLT rows

	VPSRAD $20, Y0, Y0
	VPSRAD $20, Y1, Y1
	VPMAXSD Y5, Y0, Y0
	VPMAXSD Y5, Y1, Y1
	VPSHUFD $0xff, Y0, Y2
	VPSHUFD $0xff, Y1, Y3
	VPMINSD Y7, Y2, Y2
	VPMINSD Y7, Y3, Y3
	VPMINSD Y2, Y0, Y0
	VPMINSD Y3, Y1, Y1
	VPACKUSDW Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKUSWB X1, X0, X0
	VMOVDQU X0, (DI)(BX*1)
	ADDQ $16, BX
	CMPQ BX, CX
	JLT values
	VZEROUPPER
	RET
