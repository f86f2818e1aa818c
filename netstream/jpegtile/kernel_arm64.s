#include "textflag.h"

// Go's assembler lacks most integer vector instructions. These are their encodings (Arm Architecture Reference Manual,
// C7.2). All operands are numbers of registers. The destination d is last.
#define ADD8H(m, n, d) WORD $(0x4e608400 | (m)<<16 | (n)<<5 | (d))
#define SUB8H(m, n, d) WORD $(0x6e608400 | (m)<<16 | (n)<<5 | (d)) // n - m
#define ABS8H(n, d) WORD $(0x4e60b800 | (n)<<5 | (d))
#define SHL8H2(n, d) WORD $(0x4f125400 | (n)<<5 | (d))
#define SRSHR8H2(n, d) WORD $(0x4f1e2400 | (n)<<5 | (d))
#define SSHR8H15(n, d) WORD $(0x4f110400 | (n)<<5 | (d))
#define USHL8H(m, n, d) WORD $(0x6e604400 | (m)<<16 | (n)<<5 | (d))
#define SSHL4S(m, n, d) WORD $(0x4ea04400 | (m)<<16 | (n)<<5 | (d))
#define CMTST8H(m, n, d) WORD $(0x4e608c00 | (m)<<16 | (n)<<5 | (d))
#define UADDLP(n, d) WORD $(0x6e202800 | (n)<<5 | (d))
#define UADALP(n, d) WORD $(0x6e206800 | (n)<<5 | (d))

// Products of the halves of n.8H and m.8H, as 32-bit values.
#define UMULL4S(m, n, d) WORD $(0x2e60c000 | (m)<<16 | (n)<<5 | (d))
#define UMULL24S(m, n, d) WORD $(0x6e60c000 | (m)<<16 | (n)<<5 | (d))

// Products of the halves of n.8H and m.H[i], where m is below 16.
#define LANE(i, m) (((i)>>2)<<11 | (((i)>>1)&1)<<21 | ((i)&1)<<20 | (m)<<16)
#define SMULLH(i, m, n, d) WORD $(0x0f40a000 | LANE(i, m) | (n)<<5 | (d))
#define SMULL2H(i, m, n, d) WORD $(0x4f40a000 | LANE(i, m) | (n)<<5 | (d))
#define SMLALH(i, m, n, d) WORD $(0x0f402000 | LANE(i, m) | (n)<<5 | (d))
#define SMLAL2H(i, m, n, d) WORD $(0x4f402000 | LANE(i, m) | (n)<<5 | (d))

// Shifts to the right by 11 or 15, with rounding, and narrows to 16 bits.
#define RSHRN11(n, d) WORD $(0x0f158c00 | (n)<<5 | (d))
#define RSHRN211(n, d) WORD $(0x4f158c00 | (n)<<5 | (d))
#define RSHRN15(n, d) WORD $(0x0f118c00 | (n)<<5 | (d))
#define RSHRN215(n, d) WORD $(0x4f118c00 | (n)<<5 | (d))

#define TRN1H(m, n, d) WORD $(0x4e402800 | (m)<<16 | (n)<<5 | (d))
#define TRN2H(m, n, d) WORD $(0x4e406800 | (m)<<16 | (n)<<5 | (d))
#define TRN1S(m, n, d) WORD $(0x4e802800 | (m)<<16 | (n)<<5 | (d))
#define TRN2S(m, n, d) WORD $(0x4e806800 | (m)<<16 | (n)<<5 | (d))
#define TRN1D(m, n, d) WORD $(0x4ec02800 | (m)<<16 | (n)<<5 | (d))
#define TRN2D(m, n, d) WORD $(0x4ec06800 | (m)<<16 | (n)<<5 | (d))
#define UZP1H(m, n, d) WORD $(0x4e401800 | (m)<<16 | (n)<<5 | (d))
#define UZP2H(m, n, d) WORD $(0x4e405800 | (m)<<16 | (n)<<5 | (d))

// DOT multiplies V(a) to V(a+3) by the lanes i to l of V0. It writes the 32-bit sums of the products to V(d) and V(d+1).
#define DOT(i, j, k, l, a, d) \
	SMULLH(i, 0, a, d);         \
	SMULL2H(i, 0, a, (d)+1);    \
	SMLALH(j, 0, (a)+1, d);     \
	SMLAL2H(j, 0, (a)+1, (d)+1); \
	SMLALH(k, 0, (a)+2, d);     \
	SMLAL2H(k, 0, (a)+2, (d)+1); \
	SMLALH(l, 0, (a)+3, d);     \
	SMLAL2H(l, 0, (a)+3, (d)+1)

// TWO does the same for V6 and V4 with the lanes i and j of V1.
#define TWO(i, j, d) \
	SMULLH(i, 1, 6, d);      \
	SMULL2H(i, 1, 6, (d)+1); \
	SMLALH(j, 1, 4, d);      \
	SMLAL2H(j, 1, 4, (d)+1)

// DCT transforms eight columns in V(b) to V(b+7). The frequencies 0 and 4, in V(b) and V(b+4), are sums without the last shift.
// V(t) to V(t+7) are scratch registers.
// The rotations of the paper are multiplied out, so each odd frequency is a sum of four products of differences:
//	t+0 to t+3: d0-d7, d1-d6, d2-d5, d3-d4
//	t+4 to t+7: d0+d7, d1+d6, d2+d5, d3+d4
//	V3 and V4: sum and difference of t+4 and t+7. V5 and V6: sum and difference of t+5 and t+6
#define DCT(b, t, NARROW, NARROW2) \
	SUB8H((b)+7, (b)+0, (t)+0); \
	SUB8H((b)+6, (b)+1, (t)+1); \
	SUB8H((b)+5, (b)+2, (t)+2); \
	SUB8H((b)+4, (b)+3, (t)+3); \
	ADD8H((b)+7, (b)+0, (t)+4); \
	ADD8H((b)+6, (b)+1, (t)+5); \
	ADD8H((b)+5, (b)+2, (t)+6); \
	ADD8H((b)+4, (b)+3, (t)+7); \
	ADD8H((t)+7, (t)+4, 3);     \
	SUB8H((t)+7, (t)+4, 4);     \
	ADD8H((t)+6, (t)+5, 5);     \
	SUB8H((t)+6, (t)+5, 6);     \
	DOT(3, 0, 1, 2, t, 7);      \
	DOT(0, 6, 5, 4, t, 9);      \
	DOT(1, 5, 7, 0, t, 11);     \
	NARROW(7, (b)+1);           \
	NARROW2(8, (b)+1);          \
	NARROW(9, (b)+3);           \
	NARROW2(10, (b)+3);         \
	NARROW(11, (b)+5);          \
	NARROW2(12, (b)+5);         \
	SMULLH(2, 0, t, 7);         \
	SMULL2H(2, 0, t, 8);        \
	SMLALH(4, 0, (t)+1, 7);     \
	SMLAL2H(4, 0, (t)+1, 8);    \
	SMLALH(0, 0, (t)+2, 7);     \
	SMLAL2H(0, 0, (t)+2, 8);    \
	SMLALH(0, 1, (t)+3, 7);     \
	SMLAL2H(0, 1, (t)+3, 8);    \
	TWO(1, 2, 9);               \
	TWO(3, 1, 11);              \
	NARROW(7, (b)+7);           \
	NARROW2(8, (b)+7);          \
	NARROW(9, (b)+2);           \
	NARROW2(10, (b)+2);         \
	NARROW(11, (b)+6);          \
	NARROW2(12, (b)+6);         \
	ADD8H(5, 3, b);             \
	SUB8H(5, 3, (b)+4)

// TRANSPOSE transposes V16 to V23. The result is in V24 to V31, and V16 to V23 are changed.
#define TRANSPOSE \
	TRN1H(17, 16, 24); \
	TRN2H(17, 16, 25); \
	TRN1H(19, 18, 26); \
	TRN2H(19, 18, 27); \
	TRN1H(21, 20, 28); \
	TRN2H(21, 20, 29); \
	TRN1H(23, 22, 30); \
	TRN2H(23, 22, 31); \
	TRN1S(26, 24, 16); \
	TRN2S(26, 24, 18); \
	TRN1S(27, 25, 17); \
	TRN2S(27, 25, 19); \
	TRN1S(30, 28, 20); \
	TRN2S(30, 28, 22); \
	TRN1S(31, 29, 21); \
	TRN2S(31, 29, 23); \
	TRN1D(20, 16, 24); \
	TRN2D(20, 16, 28); \
	TRN1D(21, 17, 25); \
	TRN2D(21, 17, 29); \
	TRN1D(22, 18, 26); \
	TRN2D(22, 18, 30); \
	TRN1D(23, 19, 27); \
	TRN2D(23, 19, 31)

// QUANTISE divides V(r) by the next eight steps, which are given as halves at R3, reciprocals at R4, and shifts at R5.
#define QUANTISE(r) \
	VLD1.P 16(R3), [V3.H8]; \
	VLD1.P 16(R4), [V4.H8]; \
	VLD1.P 16(R5), [V5.H8]; \
	ABS8H(r, 6);            \
	ADD8H(3, 6, 6);         \
	UMULL4S(4, 6, 7);       \
	UMULL24S(4, 6, 8);      \
	UZP2H(8, 7, 7);         \
	USHL8H(5, 7, 7);        \
	SSHR8H15(r, 8);         \
	VEOR   V7.B16, V8.B16, V7.B16; \
	SUB8H(8, 7, r)

// FINISH transforms the samples in V16 to V23, quantizes with the steps at R3, stores the block at R6, and puts the mask into R7.
#define FINISH \
	MOVD $dctFactors<>(SB), R7;   \
	VLD1 (R7), [V0.H8, V1.H8];    \
	DCT(16, 24, RSHRN11, RSHRN211); \
	SHL8H2(16, 16);               \
	SHL8H2(20, 20);               \
	TRANSPOSE;                    \
	DCT(24, 16, RSHRN15, RSHRN215); \
	SRSHR8H2(24, 24);             \
	SRSHR8H2(28, 28);             \
	ADD  $128, R3, R4;            \
	ADD  $256, R3, R5;            \
	QUANTISE(24);                 \
	QUANTISE(25);                 \
	QUANTISE(26);                 \
	QUANTISE(27);                 \
	QUANTISE(28);                 \
	QUANTISE(29);                 \
	QUANTISE(30);                 \
	QUANTISE(31);                 \
	VST1.P [V24.H8, V25.H8, V26.H8, V27.H8], 64(R6); \
	VST1 [V28.H8, V29.H8, V30.H8, V31.H8], (R6); \
	CMTST8H(24, 24, 3);           \
	CMTST8H(25, 25, 4);           \
	CMTST8H(26, 26, 5);           \
	CMTST8H(27, 27, 6);           \
	CMTST8H(28, 28, 7);           \
	CMTST8H(29, 29, 8);           \
	CMTST8H(30, 30, 9);           \
	CMTST8H(31, 31, 10);          \
	MOVD $bitsOfRow<>(SB), R7;    \
	VLD1 (R7), [V11.B16];         \
	VUZP1 V4.B16, V3.B16, V3.B16; \
	VUZP1 V6.B16, V5.B16, V5.B16; \
	VUZP1 V8.B16, V7.B16, V7.B16; \
	VUZP1 V10.B16, V9.B16, V9.B16; \
	VAND V11.B16, V3.B16, V3.B16; \
	VAND V11.B16, V5.B16, V5.B16; \
	VAND V11.B16, V7.B16, V7.B16; \
	VAND V11.B16, V9.B16, V9.B16; \
	VADDP V5.B16, V3.B16, V3.B16; \
	VADDP V9.B16, V7.B16, V7.B16; \
	VADDP V7.B16, V3.B16, V3.B16; \
	VADDP V3.B16, V3.B16, V3.B16; \
	VMOV V3.D[0], R7

// dctFactors are the factors of DCT, in the lanes of V0 and then of V1:
//	c1175, c1175-c0390, c1175-c0899, c1501-c0899+c1175-c0390
//	c1175-c1961, c1175-c2562, c3072-c2562+c1175-c1961, c2053-c2562+c1175-c0390
//	c0298-c0899+c1175-c1961, c0541, c0541+c0765, c0541-c1847
DATA dctFactors<>+0(SB)/8, $0x2c6308d4192525a1
DATA dctFactors<>+8(SB)/8, $0x08d5f72dd39ee6dc
DATA dctFactors<>+16(SB)/8, $0xd63029cf1151d39d
DATA dctFactors<>+24(SB)/8, $0
GLOBL dctFactors<>(SB), RODATA|NOPTR, $32

// bitsOfRow is the mask bit of each coefficient in two rows.
DATA bitsOfRow<>+0(SB)/8, $0x8040201008040201
DATA bitsOfRow<>+8(SB)/8, $0x8040201008040201
GLOBL bitsOfRow<>(SB), RODATA|NOPTR, $16

// FACTORS loads the conversion at R2. V2 has the factors of red, green and blue, V13 the bias, V14 the shift.
#define FACTORS \
	VLD1 (R2), [V2.D1];  \
	MOVW 8(R2), R7;      \
	VDUP R7, V13.S4;     \
	MOVW 12(R2), R7;     \
	VDUP R7, V14.S4

// CONVERT sets V(row) to eight samples. V3 to V5 are red, green and blue, with 16 bits each.
#define CONVERT(row) \
	VMOV V13.B16, V7.B16; \
	VMOV V13.B16, V8.B16; \
	SMLALH(0, 2, 3, 7);   \
	SMLAL2H(0, 2, 3, 8);  \
	SMLALH(1, 2, 4, 7);   \
	SMLAL2H(1, 2, 4, 8);  \
	SMLALH(2, 2, 5, 7);   \
	SMLAL2H(2, 2, 5, 8);  \
	SSHL4S(14, 7, 7);     \
	SSHL4S(14, 8, 8);     \
	UZP1H(8, 7, row)

// PIXELS loads eight RGBA pixels at R0, converts them, and moves R0 to the next row.
#define PIXELS(row) \
	VLD4.P (R0)(R1), [V3.B8, V4.B8, V5.B8, V6.B8]; \
	VUXTL V3.B8, V3.H8;   \
	VUXTL V4.B8, V4.H8;   \
	VUXTL V5.B8, V5.H8;   \
	CONVERT(row)

// func blockOfPixels(pix *byte, stride int, conv *conversion, q *narrowQuantiser, out *block) (mask uint64)
TEXT ·blockOfPixels(SB), NOSPLIT, $0-48
	MOVD pix+0(FP), R0
	MOVD stride+8(FP), R1
	MOVD conv+16(FP), R2
	FACTORS
	PIXELS(16)
	PIXELS(17)
	PIXELS(18)
	PIXELS(19)
	PIXELS(20)
	PIXELS(21)
	PIXELS(22)
	PIXELS(23)
	MOVD q+24(FP), R3
	MOVD out+32(FP), R6
	FINISH
	MOVD R7, mask+40(FP)
	RET

// SUMS loads eight sums of four pixels: red at R0, green 128 bytes later, blue 256 bytes later.
#define SUMS(row) \
	VLD1.P 16(R0), [V3.H8]; \
	VLD1.P 16(R1), [V4.H8]; \
	VLD1.P 16(R8), [V5.H8]; \
	CONVERT(row)

// func blockOfSums(s *sums, conv *conversion, q *narrowQuantiser, out *block) (mask uint64)
TEXT ·blockOfSums(SB), NOSPLIT, $0-40
	MOVD s+0(FP), R0
	MOVD conv+8(FP), R2
	ADD  $128, R0, R1
	ADD  $256, R0, R8
	FACTORS
	SUMS(16)
	SUMS(17)
	SUMS(18)
	SUMS(19)
	SUMS(20)
	SUMS(21)
	SUMS(22)
	SUMS(23)
	MOVD q+16(FP), R3
	MOVD out+24(FP), R6
	FINISH
	MOVD R7, mask+32(FP)
	RET

// func sumSquares(pix *byte, stride int, s *sums)
TEXT ·sumSquares(SB), NOSPLIT, $0-24
	MOVD pix+0(FP), R0
	MOVD stride+8(FP), R1
	MOVD s+16(FP), R2
	ADD  $128, R2, R3
	ADD  $256, R2, R4
	MOVD $8, R5

row:
	VLD4.P (R0)(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD4.P (R0)(R1), [V4.B16, V5.B16, V6.B16, V7.B16]
	UADDLP(0, 16)
	UADDLP(1, 17)
	UADDLP(2, 18)
	UADALP(4, 16)
	UADALP(5, 17)
	UADALP(6, 18)
	VST1.P [V16.H8], 16(R2)
	VST1.P [V17.H8], 16(R3)
	VST1.P [V18.H8], 16(R4)
	SUBS $1, R5, R5
	BNE  row
	RET
