#include "textflag.h"

// The bytes of four pixels with red and blue exchanged.
DATA swapped<>+0(SB)/8, $0x0704050603000102
DATA swapped<>+8(SB)/8, $0x0f0c0d0e0b08090a
GLOBL swapped<>(SB), RODATA|NOPTR, $16

// Four uint32: see level565 and rgb565Plain for what they cut out.
DATA alpha<>(SB)/4, $0xff000000
GLOBL alpha<>(SB), RODATA|NOPTR, $4
DATA five<>(SB)/4, $0x00070007
GLOBL five<>(SB), RODATA|NOPTR, $4
DATA six<>(SB)/4, $0x00000300
GLOBL six<>(SB), RODATA|NOPTR, $4
DATA red<>(SB)/4, $0x0000f800
GLOBL red<>(SB), RODATA|NOPTR, $4
DATA green<>(SB)/4, $0x000007e0
GLOBL green<>(SB), RODATA|NOPTR, $4
DATA blue<>(SB)/4, $0x0000001f
GLOBL blue<>(SB), RODATA|NOPTR, $4

// func xrgbKernel(dst, src *byte, n int)
TEXT ·xrgbKernel(SB), NOSPLIT, $0-24
	MOVQ           dst+0(FP), DI
	MOVQ           src+8(FP), SI
	MOVQ           n+16(FP), CX
	VBROADCASTI128 swapped<>(SB), Y8
	VPBROADCASTD   alpha<>(SB), Y9

xrgb:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPSHUFB Y8, Y0, Y0
	VPSHUFB Y8, Y1, Y1
	VPOR    Y9, Y0, Y0
	VPOR    Y9, Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JNZ     xrgb
	VZEROUPPER
	RET

// LEVELS applies level565 to the eight pixels in A; B and C are scratch.
#define LEVELS(A, B, C) \
	VPSRLD $5, A, B   \
	VPSRLD $6, A, C   \
	VPAND  Y8, B, B   \
	VPAND  Y9, C, C   \
	VPSUBB B, A, A    \
	VPSUBB C, A, A    \
	VPADDB Y13, A, A

// PACK leaves the 565 pixels of A in the low half of its uint32s.
#define PACK(A, B, C) \
	VPSLLD $8, A, B    \
	VPSRLD $5, A, C    \
	VPSRLD $19, A, A   \
	VPAND  Y10, B, B   \
	VPAND  Y11, C, C   \
	VPAND  Y12, A, A   \
	VPOR   B, C, C     \
	VPOR   C, A, A

// func rgb565Kernel(dst, src *byte, n int, p *pattern)
TEXT ·rgb565Kernel(SB), NOSPLIT, $0-32
	MOVQ           dst+0(FP), DI
	MOVQ           src+8(FP), SI
	MOVQ           n+16(FP), CX
	MOVQ           p+24(FP), DX
	VPBROADCASTD   five<>(SB), Y8
	VPBROADCASTD   six<>(SB), Y9
	VPBROADCASTD   red<>(SB), Y10
	VPBROADCASTD   green<>(SB), Y11
	VPBROADCASTD   blue<>(SB), Y12
	VBROADCASTI128 (DX), Y13

rgb565:
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	LEVELS(Y0, Y2, Y3)
	LEVELS(Y1, Y4, Y5)
	PACK(Y0, Y2, Y3)
	PACK(Y1, Y4, Y5)
	VPACKUSDW Y1, Y0, Y0    // 64-bit quarters in the order 0 2 1 3
	VPERMQ    $0xd8, Y0, Y0
	VMOVDQU   Y0, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JNZ       rgb565
	VZEROUPPER
	RET
