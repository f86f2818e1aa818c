//go:build amd64 && !purego

#include "textflag.h"

// weights are the weights of the bytes of a group in the second sum: 32 to 1.
DATA weights<>+0(SB)/8, $0x191A1B1C1D1E1F20
DATA weights<>+8(SB)/8, $0x1112131415161718
DATA weights<>+16(SB)/8, $0x090A0B0C0D0E0F10
DATA weights<>+24(SB)/8, $0x0102030405060708
GLOBL weights<>(SB), RODATA|NOPTR, $32

// func adlerAVX2(p *byte, n int, sums *[3]uint64)
//
// n is a multiple of 32, not 0, and at most foldBytes, so that no 32-bit lane exceeds 2^31. Y0 has the sums of the bytes. Y1 has the
// sums of all values of Y0 before each group. Y2 has the sums of the bytes multiplied by their weights.
TEXT ·adlerAVX2(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ sums+16(FP), DI
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y7, Y7, Y7
	VMOVDQU weights<>(SB), Y5
	MOVL $1, AX
	VMOVD AX, X6
	VPBROADCASTW X6, Y6

group:
	VMOVDQU (SI), Y3
	VPADDQ Y0, Y1, Y1
	VPSADBW Y7, Y3, Y4
	VPADDQ Y4, Y0, Y0
	VPMADDUBSW Y5, Y3, Y3
	VPMADDWD Y6, Y3, Y3
	VPADDD Y3, Y2, Y2
	ADDQ $32, SI
	SUBQ $32, CX
	JNZ group

	// Widen the lanes of Y2 to 64 bits, then add the four lanes of each sum.
	VPUNPCKHDQ Y7, Y2, Y3
	VPUNPCKLDQ Y7, Y2, Y2
	VPADDQ Y3, Y2, Y2
	VEXTRACTI128 $1, Y0, X3
	VPADDQ X3, X0, X0
	VPSRLDQ $8, X0, X3
	VPADDQ X3, X0, X0
	VMOVQ X0, (DI)
	VEXTRACTI128 $1, Y1, X3
	VPADDQ X3, X1, X1
	VPSRLDQ $8, X1, X3
	VPADDQ X3, X1, X1
	VMOVQ X1, 8(DI)
	VEXTRACTI128 $1, Y2, X3
	VPADDQ X3, X2, X2
	VPSRLDQ $8, X2, X3
	VPADDQ X3, X2, X2
	VMOVQ X2, 16(DI)
	VZEROUPPER
	RET

// three packs red, green and blue of each of four pixels. close removes the gap between two such halves.
DATA three<>+0(SB)/8, $0x0908060504020100
DATA three<>+8(SB)/8, $0x808080800E0D0C0A
GLOBL three<>(SB), RODATA|NOPTR, $16
DATA close<>+0(SB)/8, $0x0000000100000000
DATA close<>+8(SB)/8, $0x0000000400000002
DATA close<>+16(SB)/8, $0x0000000600000005
DATA close<>+24(SB)/8, $0x0000000700000003
GLOBL close<>(SB), RODATA|NOPTR, $32

// func packAVX2(dst, src *byte, n int)
//
// n is the number of pixels, a multiple of eight and not 0. After the 24 bytes of eight pixels, eight undefined bytes are written.
TEXT ·packAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTI128 three<>(SB), Y1
	VMOVDQU close<>(SB), Y2

eight:
	VMOVDQU (SI), Y0
	VPSHUFB Y1, Y0, Y0
	VPERMD Y0, Y2, Y0
	VMOVDQU Y0, (DI)
	ADDQ $32, SI
	ADDQ $24, DI
	SUBQ $8, CX
	JNZ eight
	VZEROUPPER
	RET
