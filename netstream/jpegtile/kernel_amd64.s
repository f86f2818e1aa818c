//go:build amd64

#include "textflag.h"

// Constants of dct.go. Each is repeated for the eight values of a register.
DATA c0298<>+0(SB)/8, $0x98e0000098e
DATA c0298<>+8(SB)/8, $0x98e0000098e
DATA c0298<>+16(SB)/8, $0x98e0000098e
DATA c0298<>+24(SB)/8, $0x98e0000098e
GLOBL c0298<>(SB), RODATA|NOPTR, $32
DATA c0390<>+0(SB)/8, $0xc7c00000c7c
DATA c0390<>+8(SB)/8, $0xc7c00000c7c
DATA c0390<>+16(SB)/8, $0xc7c00000c7c
DATA c0390<>+24(SB)/8, $0xc7c00000c7c
GLOBL c0390<>(SB), RODATA|NOPTR, $32
DATA c0541<>+0(SB)/8, $0x115100001151
DATA c0541<>+8(SB)/8, $0x115100001151
DATA c0541<>+16(SB)/8, $0x115100001151
DATA c0541<>+24(SB)/8, $0x115100001151
GLOBL c0541<>(SB), RODATA|NOPTR, $32
DATA c0765<>+0(SB)/8, $0x187e0000187e
DATA c0765<>+8(SB)/8, $0x187e0000187e
DATA c0765<>+16(SB)/8, $0x187e0000187e
DATA c0765<>+24(SB)/8, $0x187e0000187e
GLOBL c0765<>(SB), RODATA|NOPTR, $32
DATA c0899<>+0(SB)/8, $0x1ccd00001ccd
DATA c0899<>+8(SB)/8, $0x1ccd00001ccd
DATA c0899<>+16(SB)/8, $0x1ccd00001ccd
DATA c0899<>+24(SB)/8, $0x1ccd00001ccd
GLOBL c0899<>(SB), RODATA|NOPTR, $32
DATA c1175<>+0(SB)/8, $0x25a1000025a1
DATA c1175<>+8(SB)/8, $0x25a1000025a1
DATA c1175<>+16(SB)/8, $0x25a1000025a1
DATA c1175<>+24(SB)/8, $0x25a1000025a1
GLOBL c1175<>(SB), RODATA|NOPTR, $32
DATA c1501<>+0(SB)/8, $0x300b0000300b
DATA c1501<>+8(SB)/8, $0x300b0000300b
DATA c1501<>+16(SB)/8, $0x300b0000300b
DATA c1501<>+24(SB)/8, $0x300b0000300b
GLOBL c1501<>(SB), RODATA|NOPTR, $32
DATA c1847<>+0(SB)/8, $0x3b2100003b21
DATA c1847<>+8(SB)/8, $0x3b2100003b21
DATA c1847<>+16(SB)/8, $0x3b2100003b21
DATA c1847<>+24(SB)/8, $0x3b2100003b21
GLOBL c1847<>(SB), RODATA|NOPTR, $32
DATA c1961<>+0(SB)/8, $0x3ec500003ec5
DATA c1961<>+8(SB)/8, $0x3ec500003ec5
DATA c1961<>+16(SB)/8, $0x3ec500003ec5
DATA c1961<>+24(SB)/8, $0x3ec500003ec5
GLOBL c1961<>(SB), RODATA|NOPTR, $32
DATA c2053<>+0(SB)/8, $0x41b3000041b3
DATA c2053<>+8(SB)/8, $0x41b3000041b3
DATA c2053<>+16(SB)/8, $0x41b3000041b3
DATA c2053<>+24(SB)/8, $0x41b3000041b3
GLOBL c2053<>(SB), RODATA|NOPTR, $32
DATA c2562<>+0(SB)/8, $0x520300005203
DATA c2562<>+8(SB)/8, $0x520300005203
DATA c2562<>+16(SB)/8, $0x520300005203
DATA c2562<>+24(SB)/8, $0x520300005203
GLOBL c2562<>(SB), RODATA|NOPTR, $32
DATA c3072<>+0(SB)/8, $0x625400006254
DATA c3072<>+8(SB)/8, $0x625400006254
DATA c3072<>+16(SB)/8, $0x625400006254
DATA c3072<>+24(SB)/8, $0x625400006254
GLOBL c3072<>(SB), RODATA|NOPTR, $32
DATA round1<>+0(SB)/8, $0x40000000400
DATA round1<>+8(SB)/8, $0x40000000400
DATA round1<>+16(SB)/8, $0x40000000400
DATA round1<>+24(SB)/8, $0x40000000400
GLOBL round1<>(SB), RODATA|NOPTR, $32
DATA round2<>+0(SB)/8, $0x400000004000
DATA round2<>+8(SB)/8, $0x400000004000
DATA round2<>+16(SB)/8, $0x400000004000
DATA round2<>+24(SB)/8, $0x400000004000
GLOBL round2<>(SB), RODATA|NOPTR, $32
DATA evenBytes<>+0(SB)/8, $0xff00ff00ff00ff
DATA evenBytes<>+8(SB)/8, $0xff00ff00ff00ff
DATA evenBytes<>+16(SB)/8, $0xff00ff00ff00ff
DATA evenBytes<>+24(SB)/8, $0xff00ff00ff00ff
GLOBL evenBytes<>(SB), RODATA|NOPTR, $32
DATA levelShift<>+0(SB)/8, $8192
DATA levelShift<>+8(SB)/8, $0
DATA levelShift<>+16(SB)/8, $0
DATA levelShift<>+24(SB)/8, $0
GLOBL levelShift<>(SB), RODATA|NOPTR, $32

// CONVERT converts pairs of channels to samples. `row` has red and blue, and Y8 has green. Y9 and Y10 have the factors, Y11 the
// bias, X12 the shift.
#define CONVERT(row) \
	VPMADDWD Y9, row, row; \
	VPMADDWD Y10, Y8, Y8;  \
	VPADDD   Y8, row, row; \
	VPADDD   Y11, row, row; \
	VPSRAD   X12, row, row

// PIXELS loads eight RGBA pixels at SI, converts them, and moves SI to the next row. Y13 must be evenBytes.
#define PIXELS(row) \
	VMOVDQU (SI), Y8;      \
	VPAND   Y13, Y8, row;  \
	VPSRLD  $8, Y8, Y8;    \
	VPAND   Y13, Y8, Y8;   \
	ADDQ    DX, SI;        \
	CONVERT(row)

// SUMS does the same for eight sums of four pixels. The sums of green are 256 bytes after the sums of red and blue.
#define SUMS(row) \
	VMOVDQU (SI), row;    \
	VMOVDQU 256(SI), Y8;  \
	ADDQ    $32, SI;      \
	CONVERT(row)

// FACTORS loads the conversion at BX.
#define FACTORS \
	VPBROADCASTD 0(BX), Y9;  \
	VPBROADCASTD 4(BX), Y10; \
	VPBROADCASTD 8(BX), Y11; \
	VMOVQ        16(BX), X12

// DCT does the same as dct8 of the Go kernel, for eight columns. Y0 to Y7 are the rows, and then the frequencies.
#define DCT \
	VPSUBD  Y7, Y0, Y8;           \
	VPADDD  Y7, Y0, Y0;           \
	VPSUBD  Y6, Y1, Y9;           \
	VPADDD  Y6, Y1, Y1;           \
	VPSUBD  Y5, Y2, Y10;          \
	VPADDD  Y5, Y2, Y2;           \
	VPSUBD  Y4, Y3, Y11;          \
	VPADDD  Y4, Y3, Y3;           \
	VPADDD  Y3, Y0, Y4;           \
	VPSUBD  Y3, Y0, Y3;           \
	VPADDD  Y2, Y1, Y5;           \
	VPSUBD  Y2, Y1, Y2;           \
	VPADDD  Y5, Y4, Y0;           \
	VPSUBD  Y5, Y4, Y4;           \
	VPSLLD  $13, Y0, Y0;          \
	VPSLLD  $13, Y4, Y4;          \
	VPADDD  Y2, Y3, Y5;           \
	VPMULLD c0541<>(SB), Y5, Y5;  \
	VPMULLD c0765<>(SB), Y3, Y3;  \
	VPMULLD c1847<>(SB), Y2, Y6;  \
	VPADDD  Y3, Y5, Y2;           \
	VPSUBD  Y6, Y5, Y6;           \
	VPADDD  Y9, Y11, Y12;         \
	VPADDD  Y8, Y10, Y13;         \
	VPADDD  Y12, Y13, Y14;        \
	VPMULLD c1175<>(SB), Y14, Y14; \
	VPMULLD c1961<>(SB), Y12, Y12; \
	VPMULLD c0390<>(SB), Y13, Y13; \
	VPSUBD  Y12, Y14, Y12;        \
	VPSUBD  Y13, Y14, Y13;        \
	VPADDD  Y8, Y11, Y14;         \
	VPMULLD c0899<>(SB), Y14, Y14; \
	VPADDD  Y9, Y10, Y15;         \
	VPMULLD c2562<>(SB), Y15, Y15; \
	VPMULLD c0298<>(SB), Y11, Y11; \
	VPSUBD  Y14, Y11, Y11;        \
	VPADDD  Y12, Y11, Y7;         \
	VPMULLD c2053<>(SB), Y10, Y10; \
	VPSUBD  Y15, Y10, Y10;        \
	VPADDD  Y13, Y10, Y5;         \
	VPMULLD c3072<>(SB), Y9, Y9;  \
	VPSUBD  Y15, Y9, Y9;          \
	VPADDD  Y12, Y9, Y3;          \
	VPMULLD c1501<>(SB), Y8, Y8;  \
	VPSUBD  Y14, Y8, Y8;          \
	VPADDD  Y13, Y8, Y1

// DESCALE rounds and shifts a row.
#define DESCALE(round, shift, row) \
	VPADDD round<>(SB), row, row; \
	VPSRAD $shift, row, row

#define TRANSPOSE \
	VPUNPCKLDQ  Y1, Y0, Y8;          \
	VPUNPCKHDQ  Y1, Y0, Y9;          \
	VPUNPCKLDQ  Y3, Y2, Y10;         \
	VPUNPCKHDQ  Y3, Y2, Y11;         \
	VPUNPCKLDQ  Y5, Y4, Y12;         \
	VPUNPCKHDQ  Y5, Y4, Y13;         \
	VPUNPCKLDQ  Y7, Y6, Y14;         \
	VPUNPCKHDQ  Y7, Y6, Y15;         \
	VPUNPCKLQDQ Y10, Y8, Y0;         \
	VPUNPCKHQDQ Y10, Y8, Y1;         \
	VPUNPCKLQDQ Y11, Y9, Y2;         \
	VPUNPCKHQDQ Y11, Y9, Y3;         \
	VPUNPCKLQDQ Y14, Y12, Y4;        \
	VPUNPCKHQDQ Y14, Y12, Y5;        \
	VPUNPCKLQDQ Y15, Y13, Y6;        \
	VPUNPCKHQDQ Y15, Y13, Y7;        \
	VPERM2I128  $0x31, Y4, Y0, Y8;   \
	VPERM2I128  $0x31, Y5, Y1, Y9;   \
	VPERM2I128  $0x31, Y6, Y2, Y10;  \
	VPERM2I128  $0x31, Y7, Y3, Y11;  \
	VPERM2I128  $0x20, Y4, Y0, Y0;   \
	VPERM2I128  $0x20, Y5, Y1, Y1;   \
	VPERM2I128  $0x20, Y6, Y2, Y2;   \
	VPERM2I128  $0x20, Y7, Y3, Y3;   \
	VMOVDQA     Y8, Y4;              \
	VMOVDQA     Y9, Y5;              \
	VMOVDQA     Y10, Y6;             \
	VMOVDQA     Y11, Y7

// QUANTISE divides the coefficients in a row by the steps at offset `at` of the quantiser at BX.
#define QUANTISE(row, at) \
	VPABSD  row, Y8;              \
	VPADDD  at(BX), Y8, Y8;       \
	VPMULLD at+256(BX), Y8, Y8;   \
	VPSRLVD at+512(BX), Y8, Y8;   \
	VPSIGND row, Y8, row

// STORE packs two rows into 16 coefficients at offset `at` of DI, and marks in `zero` which of them are 0. Y15 must be 0.
#define STORE(even, odd, at, zero) \
	VPACKSSDW odd, even, even;   \
	VPERMQ    $0xD8, even, even; \
	VMOVDQU   even, at(DI);      \
	VPCMPEQW  Y15, even, zero

// FINISH transforms the samples in Y0 to Y7, quantizes with the quantiser at BX, stores the block at DI, and puts the mask into AX.
#define FINISH \
	DCT;                          \
	DESCALE(round1, 11, Y0);      \
	DESCALE(round1, 11, Y1);      \
	DESCALE(round1, 11, Y2);      \
	DESCALE(round1, 11, Y3);      \
	DESCALE(round1, 11, Y4);      \
	DESCALE(round1, 11, Y5);      \
	DESCALE(round1, 11, Y6);      \
	DESCALE(round1, 11, Y7);      \
	TRANSPOSE;                    \
	DCT;                          \
	DESCALE(round2, 15, Y0);      \
	DESCALE(round2, 15, Y1);      \
	DESCALE(round2, 15, Y2);      \
	DESCALE(round2, 15, Y3);      \
	DESCALE(round2, 15, Y4);      \
	DESCALE(round2, 15, Y5);      \
	DESCALE(round2, 15, Y6);      \
	DESCALE(round2, 15, Y7);      \
	VPSUBD    levelShift<>(SB), Y0, Y0; \
	QUANTISE(Y0, 0);              \
	QUANTISE(Y1, 32);             \
	QUANTISE(Y2, 64);             \
	QUANTISE(Y3, 96);             \
	QUANTISE(Y4, 128);            \
	QUANTISE(Y5, 160);            \
	QUANTISE(Y6, 192);            \
	QUANTISE(Y7, 224);            \
	VPXOR     Y15, Y15, Y15;      \
	STORE(Y0, Y1, 0, Y8);         \
	STORE(Y2, Y3, 32, Y9);        \
	STORE(Y4, Y5, 64, Y10);       \
	STORE(Y6, Y7, 96, Y11);       \
	VPACKSSWB Y9, Y8, Y8;         \
	VPACKSSWB Y11, Y10, Y10;      \
	VPERMQ    $0xD8, Y8, Y8;      \
	VPERMQ    $0xD8, Y10, Y10;    \
	VPMOVMSKB Y8, AX;             \
	VPMOVMSKB Y10, CX;            \
	SHLQ      $32, CX;            \
	ORQ       CX, AX;             \
	NOTQ      AX;                 \
	VZEROUPPER

// func blockOfPixels(pix *byte, stride int, conv *conversion, q *quantiser, out *block) (mask uint64)
TEXT ·blockOfPixels(SB), NOSPLIT, $0-48
	MOVQ    pix+0(FP), SI
	MOVQ    stride+8(FP), DX
	MOVQ    conv+16(FP), BX
	FACTORS
	VMOVDQU evenBytes<>(SB), Y13
	PIXELS(Y0)
	PIXELS(Y1)
	PIXELS(Y2)
	PIXELS(Y3)
	PIXELS(Y4)
	PIXELS(Y5)
	PIXELS(Y6)
	PIXELS(Y7)
	MOVQ    q+24(FP), BX
	MOVQ    out+32(FP), DI
	FINISH
	MOVQ    AX, mask+40(FP)
	RET

// func blockOfSums(s *sums, conv *conversion, q *quantiser, out *block) (mask uint64)
TEXT ·blockOfSums(SB), NOSPLIT, $0-40
	MOVQ s+0(FP), SI
	MOVQ conv+8(FP), BX
	FACTORS
	SUMS(Y0)
	SUMS(Y1)
	SUMS(Y2)
	SUMS(Y3)
	SUMS(Y4)
	SUMS(Y5)
	SUMS(Y6)
	SUMS(Y7)
	MOVQ q+16(FP), BX
	MOVQ out+24(FP), DI
	FINISH
	MOVQ AX, mask+32(FP)
	RET

// PAIRS adds the channels in eight squares of 2x2 pixels. Y4 and Y6 are the left parts of the upper and lower row, Y5 and Y7 the right parts.
#define PAIRS(at) \
	VPADDD  Y6, Y4, Y4;     \
	VPADDD  Y7, Y5, Y5;     \
	VPHADDD Y5, Y4, Y4;     \
	VPERMQ  $0xD8, Y4, Y4;  \
	VMOVDQU Y4, at(DI)

// func sumSquares(pix *byte, stride int, s *sums)
TEXT ·sumSquares(SB), NOSPLIT, $0-24
	MOVQ    pix+0(FP), SI
	MOVQ    stride+8(FP), DX
	MOVQ    s+16(FP), DI
	VMOVDQU evenBytes<>(SB), Y13
	MOVQ    $8, CX

row:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU (SI)(DX*1), Y2
	VMOVDQU 32(SI)(DX*1), Y3
	VPAND   Y13, Y0, Y4
	VPAND   Y13, Y1, Y5
	VPAND   Y13, Y2, Y6
	VPAND   Y13, Y3, Y7
	PAIRS(0)
	VPSRLD  $8, Y0, Y0
	VPSRLD  $8, Y1, Y1
	VPSRLD  $8, Y2, Y2
	VPSRLD  $8, Y3, Y3
	VPAND   Y13, Y0, Y4
	VPAND   Y13, Y1, Y5
	VPAND   Y13, Y2, Y6
	VPAND   Y13, Y3, Y7
	PAIRS(256)
	LEAQ    (SI)(DX*2), SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET
