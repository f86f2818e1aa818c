//go:build arm64 && !purego

#include "textflag.h"

// Both functions process 32 bytes at a time. n is the number of bytes, a multiple of 32 and not 0.
//
// Go's assembler has none of these instructions. These are their encodings (Arm Architecture Reference Manual, C7.2).
// The destination d is last.

// UMULL d.8H, n.8B, m.8B and UMULL2 d.8H, n.16B, m.16B
#define UMULL(m, n, d) WORD $(0x2e20c000 | (m)<<16 | (n)<<5 | (d))
#define UMULL2(m, n, d) WORD $(0x6e20c000 | (m)<<16 | (n)<<5 | (d))

// UMLAL d.8H, n.8B, m.8B and UMLAL2 d.8H, n.16B, m.16B
#define UMLAL(m, n, d) WORD $(0x2e208000 | (m)<<16 | (n)<<5 | (d))
#define UMLAL2(m, n, d) WORD $(0x6e208000 | (m)<<16 | (n)<<5 | (d))

// RSHRN d.8B, n.8H, #7 and RSHRN2 d.16B, n.8H, #7
#define RSHRN7(n, d) WORD $(0x0f098c00 | (n)<<5 | (d))
#define RSHRN27(n, d) WORD $(0x4f098c00 | (n)<<5 | (d))

// URSHR d.8H, n.8H, #8
#define URSHR8(n, d) WORD $(0x6f182400 | (n)<<5 | (d))

// RADDHN d.8B, n.8H, m.8H and RADDHN2 d.16B, n.8H, m.8H
#define RADDHN(m, n, d) WORD $(0x2e204000 | (m)<<16 | (n)<<5 | (d))
#define RADDHN2(m, n, d) WORD $(0x6e204000 | (m)<<16 | (n)<<5 | (d))

// func fillNEON(row *uint8, n int, col, keep uint32)
//
// t is a byte times keep. With r = (t + 128) >> 8, the result is (t + r + 128) >> 8.
TEXT ·fillNEON(SB), NOSPLIT, $0-24
	MOVD row+0(FP), R0
	MOVD n+8(FP), R1
	MOVWU col+16(FP), R2
	MOVWU keep+20(FP), R3
	VDUP R2, V16.S4
	VDUP R3, V17.B16

fill:
	VLD1 (R0), [V0.B16, V1.B16]
	UMULL(17, 0, 2)
	UMULL2(17, 0, 3)
	UMULL(17, 1, 4)
	UMULL2(17, 1, 5)
	URSHR8(2, 6)
	URSHR8(3, 7)
	URSHR8(4, 18)
	URSHR8(5, 19)
	RADDHN(6, 2, 0)
	RADDHN2(7, 3, 0)
	RADDHN(18, 4, 1)
	RADDHN2(19, 5, 1)
	VADD V16.B16, V0.B16, V0.B16
	VADD V16.B16, V1.B16, V1.B16
	VST1.P [V0.B16, V1.B16], 32(R0)
	SUBS $32, R1, R1
	BNE fill
	RET

// func fadeNEON(dst, a, b *uint8, n int, first, second uint32)
TEXT ·fadeNEON(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD n+24(FP), R3
	MOVWU first+32(FP), R4
	MOVWU second+36(FP), R5
	VDUP R4, V16.B16
	VDUP R5, V17.B16

fade:
	VLD1.P 32(R1), [V0.B16, V1.B16]
	VLD1.P 32(R2), [V2.B16, V3.B16]
	UMULL(16, 0, 4)
	UMULL2(16, 0, 5)
	UMULL(16, 1, 6)
	UMULL2(16, 1, 7)
	UMLAL(17, 2, 4)
	UMLAL2(17, 2, 5)
	UMLAL(17, 3, 6)
	UMLAL2(17, 3, 7)
	RSHRN7(4, 0)
	RSHRN27(5, 0)
	RSHRN7(6, 1)
	RSHRN27(7, 1)
	VST1.P [V0.B16, V1.B16], 32(R0)
	SUBS $32, R3, R3
	BNE fade
	RET
