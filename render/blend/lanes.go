package blend

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"image/color"
)

// The functions in this file process several 16-bit lanes of one word at once: four lanes on 64-bit processors, two lanes on 32-bit
// processors. On 32-bit processors, 64-bit arithmetic and unaligned loads take several instructions. Every build contains the versions
// for 64 and for 32 bits, so that tests on any machine cover both versions.

const (
	lanes32  = 0x00ff00ff
	halves32 = 0x00800080
	narrow   = bits.UintSize == 32
)

// fillLanes is the portable version of fill().
func fillLanes(row []uint8, col color.RGBA) {
	if narrow {
		fill32(row, col)
		return
	}
	fill64(row, col)
}

// fill64 blends two pixels in one word, and eight pixels in each iteration. The loop is unrolled, because constant indices need no bounds
// checks.
func fill64(row []uint8, col color.RGBA) {
	c, keep := uint64(word(col))*(1|1<<32), uint64(255-col.A)
	le, n := binary.LittleEndian, len(row)&^31
	for i := 0; i < n; i += 32 {
		p := (*[32]uint8)(row[i : i+32 : i+32])
		le.PutUint64(p[0:], fillWord(le.Uint64(p[0:]), keep)+c)
		le.PutUint64(p[8:], fillWord(le.Uint64(p[8:]), keep)+c)
		le.PutUint64(p[16:], fillWord(le.Uint64(p[16:]), keep)+c)
		le.PutUint64(p[24:], fillWord(le.Uint64(p[24:]), keep)+c)
	}
	for row = row[n:]; len(row) >= 8; row = row[8:] {
		le.PutUint64(row, fillWord(le.Uint64(row), keep)+c)
	}
	fillPlain(row, col)
}

// fillWord multiplies each byte of v by keep/255, rounded to nearest.
func fillWord(v, keep uint64) uint64 {
	lo, hi := (v&lanes)*keep+halves, (v>>8&lanes)*keep+halves
	lo = (lo + lo>>8&lanes) >> 8 & lanes
	hi = (hi + hi>>8&lanes) &^ lanes
	return lo | hi
}

// words32 returns the pixels of a row as 32-bit words. On 32-bit ARM, loading four single bytes would take seven instructions. words32
// returns nil if the row does not start at a multiple of four bytes, or is shorter than a pixel.
func words32(row []uint8) []uint32 {
	if len(row) < pixelBytes || uintptr(unsafe.Pointer(&row[0]))%pixelBytes != 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(&row[0])), len(row)/pixelBytes)
}

// fill32 blends two channels of a pixel at a time. It treats all bytes of a word alike, so their order does not matter.
func fill32(row []uint8, col color.RGBA) {
	p := words32(row)
	if p == nil {
		fillPlain(row, col)
		return
	}
	c, keep := color32(col), uint32(255-col.A)
	last, blended := uint32(0), c // most pixels have the color of the pixel before them
	for i, v := range p {
		if v != last {
			lo, hi := (v&lanes32)*keep+halves32, (v>>8&lanes32)*keep+halves32
			lo = (lo + lo>>8&lanes32) >> 8 & lanes32
			hi = (hi + hi>>8&lanes32) &^ lanes32
			last, blended = v, (lo|hi)+c
		}
		p[i] = blended
	}
}

// fadeLanes is the portable version of fade().
func fadeLanes(dst, a, b []uint8, t uint32) {
	if narrow {
		fade32(dst, a, b, t)
		return
	}
	fade64(dst, a, b, t)
}

const round64, round32 = Steps / 2 * 0x0001000100010001, Steps / 2 * 0x00010001

// fade64 mixes 32 bytes in each iteration. If the eight pixels of these bytes have the same color, only one pixel is mixed. Most of a wall
// is flat, so this saves two fifths of the time on a dashboard.
func fade64(dst, a, b []uint8, t uint32) {
	w, u := uint64(t), uint64(Steps-t)
	le, n := binary.LittleEndian, len(dst)&^31
	for i := 0; i < n; i += 32 {
		d, p, q := (*[32]uint8)(dst[i:i+32:i+32]), (*[32]uint8)(a[i:i+32:i+32]), (*[32]uint8)(b[i:i+32:i+32])
		x, y := le.Uint64(p[0:]), le.Uint64(q[0:])
		v := fadeWord(x, y, u, w)
		if flat(p, x) && flat(q, y) {
			le.PutUint64(d[0:], v)
			le.PutUint64(d[8:], v)
			le.PutUint64(d[16:], v)
			le.PutUint64(d[24:], v)
			continue
		}
		x, y = le.Uint64(p[8:]), le.Uint64(q[8:])
		le.PutUint64(d[0:], v)
		le.PutUint64(d[8:], fadeWord(x, y, u, w))
		x, y = le.Uint64(p[16:]), le.Uint64(q[16:])
		v = fadeWord(le.Uint64(p[24:]), le.Uint64(q[24:]), u, w)
		le.PutUint64(d[16:], fadeWord(x, y, u, w))
		le.PutUint64(d[24:], v)
	}
	for ; n+8 <= len(dst); n += 8 {
		le.PutUint64(dst[n:], fadeWord(le.Uint64(a[n:]), le.Uint64(b[n:]), u, w))
	}
	fadePlain(dst[n:], a[n:], b[n:], t)
}

// flat() reports whether all words of p equal v, the first word.
func flat(p *[32]uint8, v uint64) bool {
	le := binary.LittleEndian
	return v == le.Uint64(p[8:]) && v == le.Uint64(p[16:]) && v == le.Uint64(p[24:])
}

// fadeWord returns (x*u + y*w) / Steps for each byte of x and y. The weights u and w add up to Steps.
func fadeWord(x, y, u, w uint64) uint64 {
	lo := ((x&lanes)*u + (y&lanes)*w + round64) >> 7 & lanes
	hi := ((x>>8&lanes)*u + (y>>8&lanes)*w + round64) << 1 &^ lanes
	return lo | hi
}

// fade32 mixes four bytes at a time.
func fade32(dst, a, b []uint8, t uint32) {
	d, p, q := words32(dst), words32(a), words32(b)
	if d == nil || p == nil || q == nil {
		fadePlain(dst, a, b, t)
		return
	}
	u := Steps - t
	p, q = p[:len(d)], q[:len(d)]
	for i := range d {
		x, y := p[i], q[i]
		lo := ((x&lanes32)*u + (y&lanes32)*t + round32) >> 7 & lanes32
		hi := ((x>>8&lanes32)*u + (y>>8&lanes32)*t + round32) << 1 &^ lanes32
		d[i] = lo | hi
	}
	done := len(d) * pixelBytes
	fadePlain(dst[done:], a[done:], b[done:], t)
}

// over() blends a row of pixels over another row of the same length. It has shortcuts for transparent and opaque pixels, because most
// pixels of a layer are completely transparent or completely opaque.
func over(dst, src []uint8) {
	for len(src) >= pixelBytes && len(dst) >= pixelBytes {
		s := binary.LittleEndian.Uint32(src)
		switch s >> 24 {
		case 0:
		case 255:
			binary.LittleEndian.PutUint32(dst, s)
		default:
			d := binary.LittleEndian.Uint32(dst)
			binary.LittleEndian.PutUint32(dst, s+spread(d).times(255-s>>24).pixel())
		}
		dst, src = dst[pixelBytes:], src[pixelBytes:]
	}
}

// overAs does the same as over(), but multiplies the opacity of src by opacity/255.
func overAs(dst, src []uint8, opacity uint8) {
	for len(src) >= pixelBytes && len(dst) >= pixelBytes {
		if s := spread(binary.LittleEndian.Uint32(src)); s != 0 {
			s = s.times(uint32(opacity))
			d := spread(binary.LittleEndian.Uint32(dst)).times(255 - uint32(s>>48))
			binary.LittleEndian.PutUint32(dst, (s + d).pixel())
		}
		dst, src = dst[pixelBytes:], src[pixelBytes:]
	}
}

// times() multiplies every lane by share/255, rounded as in Mul.
func (p wide) times(share uint32) wide {
	v := p*wide(share) + halves
	return (v + v>>8&lanes) >> 8 & lanes
}
