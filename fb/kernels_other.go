//go:build !amd64 && !arm64

package fb

import "math/bits"

// narrowWords is true if this machine has 32-bit registers, so that 64-bit words are slow.
const narrowWords = bits.UintSize == 32

func convertXRGB8888(dst, src []byte, _, _ int) {
	if narrowWords {
		xrgbWords(dst, src)
		return
	}
	xrgbPlain(dst, src)
}

func convertRGB565(dst, src []byte, p *pattern) {
	if narrowWords {
		rgb565Words(dst, src, p)
		return
	}
	rgb565Plain(dst, src, p)
}
