#include "textflag.h"

// func xrgbKernel(dst, src *byte, n int)
TEXT ·xrgbKernel(SB), NOSPLIT, $0-24
	MOVD  dst+0(FP), R0
	MOVD  src+8(FP), R1
	MOVD  n+16(FP), R2
	VMOVI $255, V3.B16

	// V4 to V7 are red, green, blue and alpha of 16 pixels. V0 to V3 are stored:
	// blue, green, red and 255.
xrgb:
	VLD4.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]
	VMOV   V6.B16, V0.B16
	VMOV   V5.B16, V1.B16
	VMOV   V4.B16, V2.B16
	VST4.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	SUBS   $16, R2, R2
	BNE    xrgb
	RET

// func rgb565Kernel(dst, src *byte, n int, p *pattern)
TEXT ·rgb565Kernel(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	MOVD p+24(FP), R3

	// V16 to V18 are added to red, green and blue of 16 pixels, for dithering.
	VLD4 (R3), [V16.B16, V17.B16, V18.B16, V19.B16]

	// First, level565 for the bytes of each channel. The upper byte of a pixel has
	// five bits of red and the upper three bits of green. The lower byte has the
	// other three bits of green and five bits of blue.
rgb565:
	VLD4.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VUSHR  $5, V0.B16, V4.B16
	VUSHR  $6, V1.B16, V5.B16
	VUSHR  $5, V2.B16, V6.B16
	VSUB   V4.B16, V0.B16, V0.B16
	VSUB   V5.B16, V1.B16, V1.B16
	VSUB   V6.B16, V2.B16, V2.B16
	VADD   V16.B16, V0.B16, V21.B16
	VADD   V17.B16, V1.B16, V1.B16
	VADD   V18.B16, V2.B16, V2.B16
	VSHL   $3, V1.B16, V20.B16
	VSRI   $5, V1.B16, V21.B16
	VSRI   $3, V2.B16, V20.B16
	VST2.P [V20.B16, V21.B16], 32(R0)
	SUBS   $16, R2, R2
	BNE    rgb565
	RET
