//go:build arm64 && !purego

#include "textflag.h"

// Go's assembler has no vector instructions to multiply integers, or to narrow with rounding.
// These are their encodings (Arm Architecture Reference Manual, C7.2). The destination d is last.

// UMULL d.8H, n.8B, m.8B and UMULL2 d.8H, n.16B, m.16B
#define UMULL(m, n, d) WORD $(0x2e20c000 | (m)<<16 | (n)<<5 | (d))
#define UMULL2(m, n, d) WORD $(0x6e20c000 | (m)<<16 | (n)<<5 | (d))

// UMLAL d.8H, n.8B, m.8B and UMLAL2 d.8H, n.16B, m.16B
#define UMLAL(m, n, d) WORD $(0x2e208000 | (m)<<16 | (n)<<5 | (d))
#define UMLAL2(m, n, d) WORD $(0x6e208000 | (m)<<16 | (n)<<5 | (d))

// UMLAL d.4S, n.4H, m.H[i] for i of 0 to 3
#define UMLALH(i, m, n, d) WORD $(0x2f402000 | (i)<<20 | (m)<<16 | (n)<<5 | (d))

// SQRDMULH d.8H, n.8H, m.8H
#define SQRDMULH(m, n, d) WORD $(0x6e60b400 | (m)<<16 | (n)<<5 | (d))

// RSHRN d.8B, n.8H, #7 and RSHRN2 d.16B, n.8H, #7
#define RSHRN7(n, d) WORD $(0x0f098c00 | (n)<<5 | (d))
#define RSHRN27(n, d) WORD $(0x4f098c00 | (n)<<5 | (d))

// URSHR d.4S, n.4S, #22
#define URSHR22(n, d) WORD $(0x6f2a2400 | (n)<<5 | (d))

// lefts repeats the left weight of each of four pixels for its channels, and rights the right weight.
DATA lefts<>+0(SB)/8, $0x0202020200000000
DATA lefts<>+8(SB)/8, $0x0606060604040404
GLOBL lefts<>(SB), RODATA|NOPTR, $16
DATA rights<>+0(SB)/8, $0x0303030301010101
DATA rights<>+8(SB)/8, $0x0707070705050505
GLOBL rights<>(SB), RODATA|NOPTR, $16

// func filterAsm(row *uint64, src *byte, base *int32, perm, pair *byte, groups int)
TEXT ·filterAsm(SB), NOSPLIT, $0-48
	MOVD row+0(FP), R0
	MOVD src+8(FP), R1
	MOVD base+16(FP), R2
	MOVD perm+24(FP), R3
	MOVD pair+32(FP), R4
	MOVD groups+40(FP), R5
	MOVD $lefts<>(SB), R6
	VLD1 (R6), [V30.B16]
	MOVD $rights<>(SB), R6
	VLD1 (R6), [V31.B16]
	VMOVI $4, V29.B16

filter:
	MOVW.P 4(R2), R6
	ADD R1, R6, R6
	VLD1 (R6), [V0.B16, V1.B16]
	VLD1.P 16(R3), [V2.B16]
	VLD1.P 8(R4), [V3.B8]
	VADD V29.B16, V2.B16, V4.B16   // the right neighbor is four bytes further
	VTBL V2.B16, [V0.B16, V1.B16], V5.B16
	VTBL V4.B16, [V0.B16, V1.B16], V6.B16
	VTBL V30.B16, [V3.B16], V7.B16
	VTBL V31.B16, [V3.B16], V16.B16
	UMULL(7, 5, 17)
	UMULL2(7, 5, 18)
	UMLAL(16, 6, 17)
	UMLAL2(16, 6, 18)
	VST1.P [V17.H8, V18.H8], 32(R0)
	SUBS $1, R5
	BNE filter
	RET

// func blendAsm(dst *byte, a, b *uint64, weight, blocks int)
TEXT ·blendAsm(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD weight+24(FP), R3
	MOVD blocks+32(FP), R4
	VDUP R3, V31.H8

blend:
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R2), [V4.H8, V5.H8, V6.H8, V7.H8]
	VSUB V0.H8, V4.H8, V4.H8
	VSUB V1.H8, V5.H8, V5.H8
	VSUB V2.H8, V6.H8, V6.H8
	VSUB V3.H8, V7.H8, V7.H8
	SQRDMULH(31, 4, 4)
	SQRDMULH(31, 5, 5)
	SQRDMULH(31, 6, 6)
	SQRDMULH(31, 7, 7)
	VADD V0.H8, V4.H8, V4.H8
	VADD V1.H8, V5.H8, V5.H8
	VADD V2.H8, V6.H8, V6.H8
	VADD V3.H8, V7.H8, V7.H8
	RSHRN7(4, 16)
	RSHRN27(5, 16)
	RSHRN7(6, 17)
	RSHRN27(7, 17)
	VST1.P [V16.B16, V17.B16], 32(R0)
	SUBS $1, R4
	BNE blend
	RET

// func sumAsm(row *uint64, src *byte, off *int, w *uint8, taps, blocks int)
TEXT ·sumAsm(SB), NOSPLIT, $0-48
	MOVD row+0(FP), R0
	MOVD src+8(FP), R1
	MOVD off+16(FP), R2
	MOVD w+24(FP), R3
	MOVD taps+32(FP), R4
	MOVD blocks+40(FP), R5

block:
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	MOVD R2, R6
	MOVD R3, R7
	MOVD R4, R8

tap:
	LDP.P 16(R6), (R9, R10)
	ADD R1, R9, R9
	ADD R1, R10, R10
	VLD1 (R9), [V0.B16, V1.B16]
	VLD1R.P 1(R7), [V4.B16]
	VLD1 (R10), [V2.B16, V3.B16]
	VLD1R.P 1(R7), [V5.B16]
	UMLAL(4, 0, 16)
	UMLAL2(4, 0, 17)
	UMLAL(4, 1, 18)
	UMLAL2(4, 1, 19)
	UMLAL(5, 2, 16)
	UMLAL2(5, 2, 17)
	UMLAL(5, 3, 18)
	UMLAL2(5, 3, 19)
	SUBS $2, R8
	BNE tap

	VST1.P [V16.H8, V17.H8, V18.H8, V19.H8], 64(R0)
	ADD $32, R1
	SUBS $1, R5
	BNE block
	RET

// COLUMN sums the quads of one pixel into accumulator d, with its start read from R2.
#define COLUMN(d, label) \
	MOVW.P 4(R2), R6 \
	ADD R6<<3, R1, R6 \
	MOVD R4, R7 \
	VEOR V16.B16, V16.B16, V16.B16 \
	VEOR V17.B16, V17.B16, V17.B16 \
label: \
	VLD1.P 32(R6), [V0.H4, V1.H4, V2.H4, V3.H4] \
	VLD1.P 8(R3), [V4.H4] \
	UMLALH(0, 4, 0, 16) \
	UMLALH(1, 4, 1, 17) \
	UMLALH(2, 4, 2, 16) \
	UMLALH(3, 4, 3, 17) \
	SUBS $1, R7 \
	BNE label \
	VADD V16.S4, V17.S4, V16.S4 \
	URSHR22(16, d)

// func shrinkAsm(dst *byte, row *uint64, start *int32, weight *uint16, quads, groups int)
TEXT ·shrinkAsm(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD row+8(FP), R1
	MOVD start+16(FP), R2
	MOVD weight+24(FP), R3
	MOVD quads+32(FP), R4
	MOVD groups+40(FP), R5

group:
	COLUMN(20, quad0)
	COLUMN(21, quad1)
	COLUMN(22, quad2)
	COLUMN(23, quad3)
	VUZP1 V21.H8, V20.H8, V20.H8
	VUZP1 V23.H8, V22.H8, V22.H8
	VUZP1 V22.B16, V20.B16, V20.B16
	VST1.P [V20.B16], 16(R0)
	SUBS $1, R5
	BNE group
	RET
