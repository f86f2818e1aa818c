package ink

import "image"

// Stride returns the number of bytes of a row at 1, 2, 4 or 8 bits for each pixel. The last byte is padded.
func Stride(width, bits int) int { return (width*bits + 7) / 8 }

// Pack writes the rows of r to dst at 1, 2, 4 or 8 bits for each pixel. The leftmost pixel is in the highest bits. Pack returns the number
// of bytes, r.Dy() times Stride. `codes` translates an index of the palette to the display's code. If `codes` is nil, the index itself is
// written. Unused bits at the end of a row are 0. dst must be large enough, and r must lie in the picture.
func Pack(dst []byte, m *image.Paletted, r image.Rectangle, bits int, codes []uint8) int {
	stride, per := Stride(r.Dx(), bits), 8/bits
	var code [256]uint8
	for i := range code {
		code[i] = uint8(i) & (1<<bits - 1)
	}
	for i, c := range codes {
		code[i] = c & (1<<bits - 1)
	}
	for y := range r.Dy() {
		from := m.Pix[m.PixOffset(r.Min.X, r.Min.Y+y):][:r.Dx()]
		to := dst[y*stride:][:stride]
		for i := range to {
			n := min(per, len(from))
			var b uint8
			for _, ink := range from[:n] {
				b = b<<(bits&15) | code[ink]
			}
			to[i], from = b<<(bits*(per-n)), from[n:]
		}
	}
	return stride * r.Dy()
}
