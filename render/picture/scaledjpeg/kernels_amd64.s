//go:build amd64 && !purego

#include "textflag.h"

// Factors with which VPMADDWD multiplies pairs of the second and fourth row: cos1 and cos3, or cos3 and -cos1.
DATA odds<>+0(SB)/4, $0x115129cf
DATA odds<>+4(SB)/4, $0xd6311151
GLOBL odds<>(SB), RODATA|NOPTR, $8

// Byte order that interleaves eight bytes with the next eight bytes.
DATA turns<>+0(SB)/8, $0x0b030a0209010800
DATA turns<>+8(SB)/8, $0x0f070e060d050c04
GLOBL turns<>(SB), RODATA|NOPTR, $16

// Byte order that makes y * 0x10101 of each brightness y, for the pixels 0 to 3 and 8 to 11. Indices of the other pixels are 4 higher.
DATA thrice<>+0(SB)/8, $0x8001010180000000
DATA thrice<>+8(SB)/8, $0x8003030380020202
DATA thrice<>+16(SB)/8, $0x8009090980080808
DATA thrice<>+24(SB)/8, $0x800b0b0b800a0a0a
GLOBL thrice<>(SB), RODATA|NOPTR, $32

// The rounding value of a division by 8, as two 16-bit values. Then 128 in each byte.
DATA middle<>+0(SB)/4, $0x00040004
DATA middle<>+4(SB)/4, $0x80808080
GLOBL middle<>(SB), RODATA|NOPTR, $8

// ODD computes an odd part of a butterfly: the rows X1 and X3, interleaved in LO and HI, multiplied by the pair W.
#define ODD(LO, HI, W, OUT, TMP) \
	VPMADDWD W, LO, OUT; \
	VPMADDWD W, HI, TMP; \
	VPADDD Y13, OUT, OUT; \
	VPADDD Y13, TMP, TMP; \
	VPSRAD $13, OUT, OUT; \
	VPSRAD $13, TMP, TMP; \
	VPACKSSDW TMP, OUT, OUT

// BUTTERFLY transforms 16 columns in Y0 to Y3. It changes Y4 to Y9.
#define BUTTERFLY \
	VPUNPCKLWD Y3, Y1, Y4; \
	VPUNPCKHWD Y3, Y1, Y5; \
	ODD(Y4, Y5, Y14, Y6, Y8); \
	ODD(Y4, Y5, Y15, Y7, Y8); \
	VPADDW Y2, Y0, Y8; \
	VPSUBW Y2, Y0, Y9; \
	VPADDW Y6, Y8, Y0; \
	VPADDW Y7, Y9, Y1; \
	VPSUBW Y7, Y9, Y2; \
	VPSUBW Y6, Y8, Y3

// BOUNDED loads coefficients of a block, multiplies them by their factors, and limits the products.
#define BOUNDED(AT, Y) \
	VPMULLW AT(SI), Y12, Y; \
	VPMINSW Y11, Y, Y; \
	VPMAXSW Y10, Y, Y

// func inverse4AVX2(out *uint8, stride int, coefs *int16, factors *[16]int16, groups int)
//
// A group is four neighboring blocks with 16 coefficients each. The result is four rows of 16 bytes.
TEXT ·inverse4AVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ stride+8(FP), R8
	MOVQ coefs+16(FP), SI
	MOVQ factors+24(FP), DX
	MOVQ groups+32(FP), CX
	LEAQ (R8)(R8*2), R9
	VMOVDQU (DX), Y12
	VPBROADCASTD odds<>+0(SB), Y14
	VPBROADCASTD odds<>+4(SB), Y15
	MOVL $4096, AX
	VMOVQ AX, X13
	VPBROADCASTD X13, Y13
	MOVL $0x07ff, AX
	VMOVQ AX, X11
	VPBROADCASTW X11, Y11
	MOVL $0xf801, AX
	VMOVQ AX, X10
	VPBROADCASTW X10, Y10

group:
	BOUNDED(0, Y0)
	BOUNDED(32, Y1)
	BOUNDED(64, Y2)
	BOUNDED(96, Y3)

	// Collect the rows of all four blocks. A row has 64 bits.
	VPUNPCKLQDQ Y1, Y0, Y4
	VPUNPCKHQDQ Y1, Y0, Y5
	VPUNPCKLQDQ Y3, Y2, Y6
	VPUNPCKHQDQ Y3, Y2, Y7
	VPERM2I128 $0x20, Y6, Y4, Y0
	VPERM2I128 $0x20, Y7, Y5, Y1
	VPERM2I128 $0x31, Y6, Y4, Y2
	VPERM2I128 $0x31, Y7, Y5, Y3
	BUTTERFLY

	// Transpose, for the columns of all four blocks.
	VPUNPCKLWD Y1, Y0, Y4
	VPUNPCKHWD Y1, Y0, Y5
	VPUNPCKLWD Y3, Y2, Y6
	VPUNPCKHWD Y3, Y2, Y7
	VPUNPCKLDQ Y6, Y4, Y0
	VPUNPCKHDQ Y6, Y4, Y2
	VPUNPCKLDQ Y7, Y5, Y1
	VPUNPCKHDQ Y7, Y5, Y3
	VPUNPCKLQDQ Y1, Y0, Y4
	VPUNPCKHQDQ Y1, Y0, Y5
	VPUNPCKLQDQ Y3, Y2, Y6
	VPUNPCKHQDQ Y3, Y2, Y7
	VMOVDQA Y4, Y0
	VMOVDQA Y5, Y1
	VMOVDQA Y6, Y2
	VMOVDQA Y7, Y3
	BUTTERFLY

	// Divide by 8 with rounding, limit to -128..127, and change this range to 0..255.
	VPBROADCASTD middle<>+0(SB), Y4
	VPADDSW Y4, Y0, Y0
	VPADDSW Y4, Y1, Y1
	VPADDSW Y4, Y2, Y2
	VPADDSW Y4, Y3, Y3
	VPSRAW $3, Y0, Y0
	VPSRAW $3, Y1, Y1
	VPSRAW $3, Y2, Y2
	VPSRAW $3, Y3, Y3
	VPACKSSWB Y1, Y0, Y0
	VPACKSSWB Y3, Y2, Y2
	VPBROADCASTD middle<>+4(SB), Y4
	VPXOR Y4, Y0, Y0
	VPXOR Y4, Y2, Y2

	// Put the bytes in the order of the rows.
	VBROADCASTI128 turns<>(SB), Y5
	VPSHUFB Y5, Y0, Y0
	VPSHUFB Y5, Y2, Y2
	VPUNPCKLWD Y2, Y0, Y4
	VPUNPCKHWD Y2, Y0, Y5
	VPUNPCKLDQ Y5, Y4, Y0
	VPUNPCKHDQ Y5, Y4, Y1
	VPERMQ $0xd8, Y0, Y0
	VPERMQ $0xd8, Y1, Y1
	VMOVDQU X0, (DI)
	VEXTRACTI128 $1, Y0, (DI)(R8*1)
	VMOVDQU X1, (DI)(R8*2)
	VEXTRACTI128 $1, Y1, (DI)(R9*1)
	ADDQ $128, SI
	ADDQ $16, DI
	DECQ CX
	JNZ group
	VZEROUPPER
	RET

// COLOR adds a color component of eight pairs of pixels to the brightness of 16 pixels. The results are 16-bit values.
#define COLOR(C, OUT, TMP) \
	VPUNPCKLDQ C, C, OUT; \
	VPUNPCKHDQ C, C, TMP; \
	VPADDD Y0, OUT, OUT; \
	VPADDD Y1, TMP, TMP; \
	VPSRAD $16, OUT, OUT; \
	VPSRAD $16, TMP, TMP; \
	VPACKSSDW TMP, OUT, OUT

#define FACTOR(V, X, Y) \
	MOVL $V, AX; \
	VMOVQ AX, X; \
	VPBROADCASTD X, Y

// func convertAVX2(dst, ys, cbs, crs *uint8, groups int)
//
// A group is 16 pixels, with 8 values of each color component.
TEXT ·convertAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ ys+8(FP), SI
	MOVQ cbs+16(FP), BX
	MOVQ crs+24(FP), DX
	MOVQ groups+32(FP), CX
	VMOVDQU thrice<>(SB), Y15
	VBROADCASTI128 turns<>(SB), Y14
	FACTOR(128, X13, Y13)
	FACTOR(91881, X12, Y12)
	FACTOR(22554, X11, Y11)
	FACTOR(46802, X10, Y10)
	FACTOR(116130, X9, Y9)
	FACTOR(0x04040404, X8, Y8) // added to the indices of thrice, for the pixels 4 to 7 and 12 to 15
	VPADDB Y8, Y15, Y8
	VPCMPEQW Y7, Y7, Y7
	VPSRLW $8, Y7, Y7

pixels:
	VBROADCASTI128 (SI), Y1
	VPSHUFB Y15, Y1, Y0
	VPSHUFB Y8, Y1, Y1
	VPMOVZXBD (BX), Y2
	VPMOVZXBD (DX), Y3
	VPSUBD Y13, Y2, Y2
	VPSUBD Y13, Y3, Y3
	VPMULLD Y11, Y2, Y4
	VPMULLD Y10, Y3, Y5
	VPADDD Y5, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPSUBD Y4, Y5, Y4
	VPMULLD Y12, Y3, Y3
	VPMULLD Y9, Y2, Y2
	COLOR(Y3, Y5, Y6)
	COLOR(Y4, Y3, Y6)
	COLOR(Y2, Y4, Y6)
	VPACKUSWB Y3, Y5, Y5 // red, green
	VPACKUSWB Y7, Y4, Y4 // blue, opaque
	VPSHUFB Y14, Y5, Y5
	VPSHUFB Y14, Y4, Y4
	VPUNPCKLWD Y4, Y5, Y2
	VPUNPCKHWD Y4, Y5, Y3
	VPERM2I128 $0x20, Y3, Y2, Y0
	VPERM2I128 $0x31, Y3, Y2, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, DI
	ADDQ $16, SI
	ADDQ $8, BX
	ADDQ $8, DX
	DECQ CX
	JNZ pixels
	VZEROUPPER
	RET
