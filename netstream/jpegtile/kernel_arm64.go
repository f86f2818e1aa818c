package jpegtile

// fastestKernel returns the NEON kernel, because every arm64 processor has this vector unit.
func fastestKernel() kernel { return new(neon) }

// neon is the kernel in NEON assembly. Eight registers hold the rows of a block, each with eight 16-bit values.
//
// Samples are stored as values from -128 to 127, which makes the level shift unnecessary. In the arithmetic of dct.go, this changes a sum
// only by whole units of the result after the shift, so the rounding is the same. Then each sum of samples and of first-pass results fits
// in 16 bits. A first-pass result is 4 times a sum of eight samples whose factors are at most 1 on average, so it is within -4096..4095.
// A sum of eight such results is within -32768..32767. Products are 32 bits wide and exact, as in dct.go, and are narrowed with the same
// rounding.
type neon struct{ sums sums }

// sums holds 8x8 sums of 2x2 pixels: for red, for green and for blue.
type sums [3][64]uint16

// conversion is a row of the color matrix. The assembly depends on the order of its fields.
type conversion struct {
	red, green, blue int16
	_                int16
	bias             int32 // bias of pixels.go minus the level shift
	shift            int32 // shift to the left, or to the right if negative
}

// levels is the level shift of T.81, A.3.1.
const levels = 128

// Color conversions, as in pixels.go. Conversions whose names contain 4 convert sums of four pixels.
var (
	toY      = &conversion{red: yR, green: yG, blue: yB, bias: yBias - levels<<convBits, shift: -convBits}
	toCb     = &conversion{red: -cbR, green: -cbG, blue: cHalf, bias: cBias - levels<<convBits, shift: -convBits}
	toCr     = &conversion{red: cHalf, green: -crG, blue: -crB, bias: cBias - levels<<convBits, shift: -convBits}
	toCbFor4 = &conversion{red: -cbR, green: -cbG, blue: cHalf, bias: cBias4 - levels<<(convBits+2), shift: -convBits - 2}
	toCrFor4 = &conversion{red: cHalf, green: -crG, blue: -crB, bias: cBias4 - levels<<(convBits+2), shift: -convBits - 2}
)

// blockOfPixels converts 8x8 RGBA pixels to one component (Y, Cb or Cr), transforms them with the DCT and quantizes the result. `mask`
// marks the coefficients that are not zero. The rows of pixels are `stride` bytes apart.
//
//go:noescape
func blockOfPixels(pix *byte, stride int, conv *conversion, q *narrowQuantiser, out *block) (mask uint64)

// blockOfSums does the same as blockOfPixels for 8x8 sums of four pixels.
//
//go:noescape
func blockOfSums(s *sums, conv *conversion, q *narrowQuantiser, out *block) (mask uint64)

// sumSquares adds the pixels in each square of 2x2, for 16x16 RGBA pixels.
//
//go:noescape
func sumSquares(pix *byte, stride int, s *sums)

func (k *neon) mcu420(p pixels, luma, chroma *quantiser, out *mcu) {
	_ = p.pix[15*p.stride+63] // if the slice is too short, panic here, because the assembly would read beyond its end
	for i := range 4 {
		at := i>>1*8*p.stride + i&1*32
		out.masks[i] = blockOfPixels(&p.pix[at], p.stride, toY, &luma.narrow, &out.blocks[i])
	}
	sumSquares(&p.pix[0], p.stride, &k.sums)
	out.masks[4] = blockOfSums(&k.sums, toCbFor4, &chroma.narrow, &out.blocks[4])
	out.masks[5] = blockOfSums(&k.sums, toCrFor4, &chroma.narrow, &out.blocks[5])
}

func (k *neon) mcu444(p pixels, luma, chroma *quantiser, out *mcu) {
	_ = p.pix[7*p.stride+31] // if the slice is too short, panic here, because the assembly would read beyond its end
	out.masks[0] = blockOfPixels(&p.pix[0], p.stride, toY, &luma.narrow, &out.blocks[0])
	out.masks[1] = blockOfPixels(&p.pix[0], p.stride, toCb, &chroma.narrow, &out.blocks[1])
	out.masks[2] = blockOfPixels(&p.pix[0], p.stride, toCr, &chroma.narrow, &out.blocks[2])
}
