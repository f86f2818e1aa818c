//go:build !amd64 && !arm64

package fb

func convertXRGB8888(dst, src []byte, _, _ int) { xrgbPlain(dst, src) }

func convertRGB565(dst, src []byte, p *pattern) { rgb565Plain(dst, src, p) }
