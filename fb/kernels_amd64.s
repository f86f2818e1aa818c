#include "textflag.h"

// Byte order of four pixels with red and blue exchanged.
DATA swapped<>+0(SB)/8, $0x0704050603000102
DATA swapped<>+8(SB)/8, $0x0f0c0d0e0b08090a
GLOBL swapped<>(SB), RODATA|NOPTR, $16

DATA alpha<>(SB)/4, $0xff000000
GLOBL alpha<>(SB), RODATA|NOPTR, $4

// Constants of rgb565Kernel: masks, factors and bits. Each is a uint32, or its halves are two values.
DATA redBlue<>(SB)/4, $0x00ff00ff
GLOBL redBlue<>(SB), RODATA|NOPTR, $4
DATA thirtyOne<>(SB)/4, $0x001f001f
GLOBL thirtyOne<>(SB), RODATA|NOPTR, $4
DATA five<>(SB)/4, $0x1f001f00
GLOBL five<>(SB), RODATA|NOPTR, $4
DATA places<>(SB)/4, $0x00010800
GLOBL places<>(SB), RODATA|NOPTR, $4
DATA sixtyThree<>(SB)/4, $2016
GLOBL sixtyThree<>(SB), RODATA|NOPTR, $4
DATA six<>(SB)/4, $0x0007e000
GLOBL six<>(SB), RODATA|NOPTR, $4

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

// PIXELS565 converts the eight pixels in A to 565 pixels in the low halves of its
// uint32s. B is scratch. The level of a channel c, from level565 and a shift, is
//	c - c>>5 + add >> 3 = (31*c + 31 + 32*add) >> 8, for green
//	c - c>>6 + add >> 2 = (63*c + 63 + 64*add) >> 8
// so two multiplications give the levels, and a third puts red next to blue. All
// fields are eight bits too high before the last shift.
//	Y8 redBlue, Y9 thirtyOne, Y10 five, Y11 places, Y12 sixtyThree, Y13 six
//	Y14 31 + 32*add for red and blue, Y15 32*(63 + 64*add) for green
#define PIXELS565(A, B) \
	VPSRLW   $8, A, B    \
	VPAND    Y8, A, A    \
	VPMADDWD Y12, B, B   \
	VPMULLW  Y9, A, A    \
	VPADDD   Y15, B, B   \
	VPADDW   Y14, A, A   \
	VPAND    Y13, B, B   \
	VPAND    Y10, A, A   \
	VPMADDWD Y11, A, A   \
	VPOR     B, A, A     \
	VPSRLD   $8, A, A

// func rgb565Kernel(dst, src *byte, n int, p *pattern)
TEXT ·rgb565Kernel(SB), NOSPLIT, $0-32
	MOVQ           dst+0(FP), DI
	MOVQ           src+8(FP), SI
	MOVQ           n+16(FP), CX
	MOVQ           p+24(FP), DX
	VPBROADCASTD   redBlue<>(SB), Y8
	VPBROADCASTD   thirtyOne<>(SB), Y9
	VPBROADCASTD   five<>(SB), Y10
	VPBROADCASTD   places<>(SB), Y11
	VPBROADCASTD   sixtyThree<>(SB), Y12
	VPBROADCASTD   six<>(SB), Y13
	VBROADCASTI128 (DX), Y0
	VPAND          Y8, Y0, Y14
	VPSLLW         $5, Y14, Y14
	VPADDW         Y9, Y14, Y14
	VPSRLD         $8, Y0, Y15
	VPAND          Y8, Y15, Y15
	VPSLLD         $11, Y15, Y15
	VPADDD         Y12, Y15, Y15

rgb565:
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	PIXELS565(Y0, Y2)
	PIXELS565(Y1, Y3)
	VPACKUSDW Y1, Y0, Y0    // order of the 64-bit quarters: 0 2 1 3
	VPERMQ    $0xd8, Y0, Y0
	VMOVDQU   Y0, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JNZ       rgb565
	VZEROUPPER
	RET
