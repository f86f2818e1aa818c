//go:build amd64 && !purego

#include "textflag.h"

// Both functions process 32 bytes at a time. n is the number of bytes, a multiple of 32 and not 0. The halves of a register
// are unpacked and packed separately, so the bytes return to their places.

// func fillAVX2(row *uint8, n int, col, keep uint32)
//
// t is a byte times keep, plus 128. (t + t>>8) >> 8 is the upper word of t*257.
TEXT ·fillAVX2(SB), NOSPLIT, $0-24
	MOVQ row+0(FP), DI
	MOVQ n+8(FP), CX
	MOVL col+16(FP), AX
	VMOVQ AX, X0
	VPBROADCASTD X0, Y0
	MOVL keep+20(FP), AX
	VMOVQ AX, X1
	VPBROADCASTW X1, Y1
	MOVL $128, AX
	VMOVQ AX, X2
	VPBROADCASTW X2, Y2
	MOVL $257, AX
	VMOVQ AX, X3
	VPBROADCASTW X3, Y3
	VPXOR Y4, Y4, Y4

fill:
	VMOVDQU (DI), Y5
	VPUNPCKHBW Y4, Y5, Y6
	VPUNPCKLBW Y4, Y5, Y5
	VPMULLW Y1, Y5, Y5
	VPMULLW Y1, Y6, Y6
	VPADDW Y2, Y5, Y5
	VPADDW Y2, Y6, Y6
	VPMULHUW Y3, Y5, Y5
	VPMULHUW Y3, Y6, Y6
	VPACKUSWB Y6, Y5, Y5
	VPADDB Y0, Y5, Y5
	VMOVDQU Y5, (DI)
	ADDQ $32, DI
	SUBQ $32, CX
	JNZ fill
	VZEROUPPER
	RET

// func fadeAVX2(dst, a, b *uint8, n int, weights uint32)
//
// The bytes of a and b are interleaved, multiplied by their weights, and added in pairs. 255*128 fits in a signed word.
// No weight is 128, because 128 does not fit in a signed byte.
TEXT ·fadeAVX2(SB), NOSPLIT, $0-36
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ n+24(FP), CX
	MOVL weights+32(FP), AX
	VMOVQ AX, X0
	VPBROADCASTW X0, Y0
	MOVL $64, AX
	VMOVQ AX, X1
	VPBROADCASTW X1, Y1

fade:
	VMOVDQU (SI), Y2
	VMOVDQU (DX), Y3
	VPUNPCKHBW Y3, Y2, Y4
	VPUNPCKLBW Y3, Y2, Y2
	VPMADDUBSW Y0, Y2, Y2
	VPMADDUBSW Y0, Y4, Y4
	VPADDW Y1, Y2, Y2
	VPADDW Y1, Y4, Y4
	VPSRLW $7, Y2, Y2
	VPSRLW $7, Y4, Y4
	VPACKUSWB Y4, Y2, Y2
	VMOVDQU Y2, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, DX
	SUBQ $32, CX
	JNZ fade
	VZEROUPPER
	RET
