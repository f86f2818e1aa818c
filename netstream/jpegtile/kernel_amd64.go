package jpegtile

import "golang.org/x/sys/cpu"

// fastestKernel returns the fastest kernel that this processor can run.
func fastestKernel() kernel {
	if cpu.X86.HasAVX2 {
		return new(avx2)
	}
	return portable{}
}

// avx2 is the kernel in AVX2 assembly. Eight registers hold the rows of a block, each with eight 32-bit values. The kernel does the same
// arithmetic as dct.go, step by step.
type avx2 struct{ sums sums }

// sums holds 8x8 sums of 2x2 pixels: sums[0] is red | blue<<16, and sums[1] is green | alpha<<16.
type sums [2][64]uint32

// conversion is a row of the color matrix for 16-bit multiplications. The assembly depends on the order of its fields.
type conversion struct {
	redBlue uint32 // factor of red in the low half, of blue in the high half
	green   uint32
	bias    uint32
	_       uint32
	shift   uint64
}

func pairOf(low, high int32) uint32 { return uint32(low)&0xFFFF | uint32(high)<<16 }

// Color conversions, as in pixels.go. Conversions whose names contain 4 convert sums of four pixels.
var (
	toY      = &conversion{redBlue: pairOf(yR, yB), green: pairOf(yG, 0), bias: yBias, shift: convBits}
	toCb     = &conversion{redBlue: pairOf(-cbR, cHalf), green: pairOf(-cbG, 0), bias: cBias, shift: convBits}
	toCr     = &conversion{redBlue: pairOf(cHalf, -crB), green: pairOf(-crG, 0), bias: cBias, shift: convBits}
	toCbFor4 = &conversion{redBlue: toCb.redBlue, green: toCb.green, bias: cBias4, shift: convBits + 2}
	toCrFor4 = &conversion{redBlue: toCr.redBlue, green: toCr.green, bias: cBias4, shift: convBits + 2}
)

// blockOfPixels converts 8x8 RGBA pixels to one component (Y, Cb or Cr), transforms them with the DCT and quantizes the result. `mask`
// marks the coefficients that are not zero. The rows of pixels are `stride` bytes apart.
//
//go:noescape
func blockOfPixels(pix *byte, stride int, conv *conversion, q *quantiser, out *block) (mask uint64)

// blockOfSums does the same as blockOfPixels for 8x8 sums of four pixels.
//
//go:noescape
func blockOfSums(s *sums, conv *conversion, q *quantiser, out *block) (mask uint64)

// sumSquares adds the pixels in each square of 2x2, for 16x16 RGBA pixels.
//
//go:noescape
func sumSquares(pix *byte, stride int, s *sums)

func (k *avx2) mcu420(p pixels, luma, chroma *quantiser, out *mcu) {
	_ = p.pix[15*p.stride+63] // if the slice is too short, panic here, because the assembly would read beyond its end
	for i := range 4 {
		at := i>>1*8*p.stride + i&1*32
		out.masks[i] = blockOfPixels(&p.pix[at], p.stride, toY, luma, &out.blocks[i])
	}
	sumSquares(&p.pix[0], p.stride, &k.sums)
	out.masks[4] = blockOfSums(&k.sums, toCbFor4, chroma, &out.blocks[4])
	out.masks[5] = blockOfSums(&k.sums, toCrFor4, chroma, &out.blocks[5])
}

func (k *avx2) mcu444(p pixels, luma, chroma *quantiser, out *mcu) {
	_ = p.pix[7*p.stride+31] // if the slice is too short, panic here, because the assembly would read beyond its end
	out.masks[0] = blockOfPixels(&p.pix[0], p.stride, toY, luma, &out.blocks[0])
	out.masks[1] = blockOfPixels(&p.pix[0], p.stride, toCb, chroma, &out.blocks[1])
	out.masks[2] = blockOfPixels(&p.pix[0], p.stride, toCr, chroma, &out.blocks[2])
}
