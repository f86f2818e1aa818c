package blend

import "image/color"

// Mul returns a*b/255, rounded to nearest. It is exact if a or b is 0 or 255.
func Mul(a, b uint8) uint8 {
	t := uint32(a)*uint32(b) + 128
	return uint8((t + t>>8) >> 8)
}

// fillPlain is the simple version of fill(), and defines its result.
func fillPlain(row []uint8, col color.RGBA) {
	keep := 255 - col.A
	for i := 0; i+pixelBytes <= len(row); i += pixelBytes {
		row[i] = col.R + Mul(row[i], keep)
		row[i+1] = col.G + Mul(row[i+1], keep)
		row[i+2] = col.B + Mul(row[i+2], keep)
		row[i+3] = col.A + Mul(row[i+3], keep)
	}
}

// fadePlain is the simple version of fade(), and defines its result.
func fadePlain(dst, a, b []uint8, t uint32) {
	for i := range dst {
		dst[i] = uint8((uint32(a[i])*(Steps-t) + uint32(b[i])*t + Steps/2) / Steps)
	}
}

// overPlain is the simple version of over() and overAs(), and defines their result.
func overPlain(dst, src []uint8, opacity uint8) {
	for i := 0; i+pixelBytes <= len(dst); i += pixelBytes {
		keep := 255 - Mul(src[i+3], opacity)
		for k := range pixelBytes {
			dst[i+k] = Mul(src[i+k], opacity) + Mul(dst[i+k], keep)
		}
	}
}

// coverPlain is the simple version of cover(), and defines its result.
func coverPlain(b block, col color.RGBA) {
	for y := range b.h {
		for x := range b.w {
			c := b.cover[y*b.coverStride+x]
			d := b.dst[y*b.stride+pixelBytes*x:][:pixelBytes]
			for k, v := range [pixelBytes]uint8{col.R, col.G, col.B, col.A} {
				d[k] = covered(d[k], v, c, col.A)
			}
		}
	}
}

// covered() moves the channel d of a pixel towards the channel v of a color with the given alpha. `coverage` ranges from 0 (no change) to
// 255.
func covered(d, v, coverage, alpha uint8) uint8 {
	if alpha == 255 {
		c := uint32(coverage) + uint32(coverage)>>7
		return uint8((uint32(d)*(256-c) + uint32(v)*c + 128) >> 8)
	}
	keep := uint32(255 - Mul(alpha, coverage))
	return uint8(div255(uint32(v)*uint32(coverage) + uint32(d)*keep))
}
