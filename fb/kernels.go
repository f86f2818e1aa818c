//go:build amd64 || arm64

package fb

// xrgbKernel does the same as xrgbPlain, for n pixels. n is a positive multiple of kernelStep.
//
//go:noescape
func xrgbKernel(dst, src *byte, n int)

// rgb565Kernel does the same as rgb565Plain, for n pixels. n is a positive multiple of kernelStep.
//
//go:noescape
func rgb565Kernel(dst, src *byte, n int, p *pattern)

// convertXRGB8888 runs xrgbKernel, and xrgbPlain for the remaining pixels.
func convertXRGB8888(dst, src []byte, _, _ int) {
	if n := kernelPixels(dst, src, 4); n > 0 {
		xrgbKernel(&dst[0], &src[0], n)
		dst, src = dst[4*n:], src[4*n:]
	}
	xrgbPlain(dst, src)
}

// convertRGB565 runs rgb565Kernel, and rgb565Plain for the remaining pixels. Both can use the same pattern, because it repeats after four
// pixels.
func convertRGB565(dst, src []byte, p *pattern) {
	if n := kernelPixels(dst, src, 2); n > 0 {
		rgb565Kernel(&dst[0], &src[0], n, p)
		dst, src = dst[2*n:], src[4*n:]
	}
	rgb565Plain(dst, src, p)
}

// kernelPixels returns how many pixels the assembly may convert. `size` is the number of bytes of a device pixel.
func kernelPixels(dst, src []byte, size int) int {
	if !haveKernels {
		return 0
	}
	return min(len(src)/4, len(dst)/size) &^ (kernelStep - 1)
}
