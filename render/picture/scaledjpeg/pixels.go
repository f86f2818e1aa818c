package scaledjpeg

// transformRow computes the bands of a row of units from the coefficients. `unit` is the index of this row in coefs.
func (d *Decoder) transformRow(unit int) {
	nn := d.n * d.n
	for i := range d.comps {
		c := &d.comps[i]
		if c.quant == nil { // no scan contained this component
			c.quant = new([blockSize]int32)
		}
		for k, p := range d.place[:blockSize] {
			if int(p) < nn {
				c.factors[p] = int16(c.quant[k])
			}
		}
		for line := range c.v {
			d.transformLine(c, c.band[line*d.n*d.n*c.stride:], c.coefs[(unit*c.v+line)*c.pitch()*nn:])
		}
	}
}

// transformLine transforms a line of blocks and writes n rows of samples to `out`.
func (d *Decoder) transformLine(c *component, out []uint8, coefs []int16) {
	n, stride, first := d.n, c.stride*d.n, 0
	if n == 4 {
		first = transform4(out, stride, coefs, &c.factors, c.stride)
	}
	for x := first; x < c.stride; x++ {
		block := coefs[x*n*n:][:n*n]
		switch n {
		case 1:
			out[x] = sample(dequantize(block[0], c.factors[0]))
		case 2:
			inverse2(out[2*x:], stride, block, &c.factors)
		case 4:
			inverse4(out[4*x:], stride, block, &c.factors)
		}
	}
}

// mostCoefficient bounds a coefficient. In files with eight bits, no coefficient exceeds 1024 plus half a quantization step (A.3.3). Sums
// of coefficients up to this bound fit in 16 bits.
const mostCoefficient = 2047

// dequantize multiplies a coefficient by its factor (A.3.4). Only a broken file has values out of range. They are limited to
// mostCoefficient.
func dequantize(v, factor int16) int32 {
	return int32(min(max(v*factor, -mostCoefficient), mostCoefficient))
}

// sample converts the result of a transform to a sample from 0 to 255: it divides by 8 and adds 128 (A.3.1).
func sample(v int32) uint8 { return uint8(min(max((v+4)>>3+128, 0), 255)) }

// inverse2 is the inverse transform of the lowest 2 x 2 coefficients. All its factors in both directions are the square root of 1/8, so it
// only needs sums and differences.
func inverse2(out []uint8, stride int, coefs []int16, q *[16]int16) {
	f := [4]int32{dequantize(coefs[0], q[0]), dequantize(coefs[1], q[1]), dequantize(coefs[2], q[2]), dequantize(coefs[3], q[3])}
	a, b, c, e := f[0]+f[2], f[1]+f[3], f[0]-f[2], f[1]-f[3]
	out[0], out[1] = sample(a+b), sample(a-b)
	out[stride], out[stride+1] = sample(c+e), sample(c-e)
}

// cos1 and cos3 are the cosines of pi/8 and 3*pi/8, multiplied by the square root of 2, with 13 fraction bits.
const (
	fixed = 13
	cos1  = 10703 // 1.306563
	cos3  = 4433  // 0.541196
)

// inverse4 is the inverse transform of the lowest 4 x 4 coefficients, first along the columns. The common factor of all terms, the square
// root of 1/8 in each direction, is applied by sample().
func inverse4(out []uint8, stride int, coefs []int16, q *[16]int16) {
	const half = 1 << (fixed - 1)
	var f [16]int32
	for i, v := range (*[16]int16)(coefs) {
		f[i] = dequantize(v, q[i])
	}
	for x := range 4 {
		even0, even1 := f[x]+f[8+x], f[x]-f[8+x]
		odd0 := (cos1*f[4+x] + cos3*f[12+x] + half) >> fixed
		odd1 := (cos3*f[4+x] - cos1*f[12+x] + half) >> fixed
		f[x], f[4+x], f[8+x], f[12+x] = even0+odd0, even1+odd1, even1-odd1, even0-odd0
	}
	for y := range 4 {
		r, o := f[4*y:4*y+4:4*y+4], out[y*stride:y*stride+4:y*stride+4]
		even0, even1 := r[0]+r[2], r[0]-r[2]
		odd0 := (cos1*r[1] + cos3*r[3] + half) >> fixed
		odd1 := (cos3*r[1] - cos1*r[3] + half) >> fixed
		o[0], o[1], o[2], o[3] = sample(even0+odd0), sample(even1+odd1), sample(even1-odd1), sample(even0-odd0)
	}
}

// convert converts row y of the bands to pixels, starting at column x0.
func (d *Decoder) convert(dst []uint8, x0, y int) {
	width := min(len(dst)/4, d.Scaled(d.n).X-x0)
	var rows [maxComponents][]uint8
	for i := range d.comps {
		c := &d.comps[i]
		stride := c.stride * d.n
		rows[i] = c.band[y*c.v/d.vMax*stride:][:stride]
	}
	if len(d.comps) == 1 {
		for i, v := range rows[0][x0 : x0+width] {
			p := dst[4*i : 4*i+4 : 4*i+4]
			p[0], p[1], p[2], p[3] = v, v, v, 255
		}
		return
	}
	if d.halved() {
		convertPairs(dst[:4*width], rows[0][x0:], rows[1], rows[2], x0)
		return
	}
	d.convertPlain(dst, x0, width, &rows)
}

// convertPlain converts pixels of a picture with any sampling factors.
func (d *Decoder) convertPlain(dst []uint8, x0, width int, rows *[maxComponents][]uint8) {
	c0, c1, c2 := d.comps[0].columns[x0:], d.comps[1].columns[x0:], d.comps[2].columns[x0:]
	for i := range width {
		a, b, c := rows[0][c0[i]], rows[1][c1[i]], rows[2][c2[i]]
		p := dst[4*i : 4*i+4 : 4*i+4]
		if d.rgb {
			p[0], p[1], p[2], p[3] = a, b, c, 255
			continue
		}
		toRGB(p, a, b, c)
	}
}

// halved() reports whether the color channels have half of the horizontal resolution, as in most photographs.
func (d *Decoder) halved() bool {
	return !d.rgb && d.comps[0].h == 2 && d.comps[1].h == 1 && d.comps[2].h == 1
}

// convertPairs converts pixels, starting at column x0. Two neighboring pixels share their values of `cbs` and `crs`, so their color is
// computed only once.
func convertPairs(dst, ys, cbs, crs []uint8, x0 int) {
	if x0%2 == 1 && len(dst) > 0 {
		toRGB(dst[:4:4], ys[0], cbs[x0/2], crs[x0/2])
		dst, ys, x0 = dst[4:], ys[1:], x0+1
	}
	cbs, crs = cbs[x0/2:], crs[x0/2:]
	done := convertVector(dst, ys, cbs, crs)
	dst, ys, cbs, crs = dst[4*done:], ys[done:], cbs[done/2:], crs[done/2:]
	for ; len(dst) >= 8; dst, ys, cbs, crs = dst[8:], ys[2:], cbs[1:], crs[1:] {
		b, r := int32(cbs[0])-128, int32(crs[0])-128
		red, green, blue := 91881*r, -22554*b-46802*r, 116130*b
		p := dst[:8:8]
		y0, y1 := int32(ys[0])*0x10101, int32(ys[1])*0x10101
		p[0], p[1], p[2], p[3] = clamp((y0+red)>>16), clamp((y0+green)>>16), clamp((y0+blue)>>16), 255
		p[4], p[5], p[6], p[7] = clamp((y1+red)>>16), clamp((y1+green)>>16), clamp((y1+blue)>>16), 255
	}
	if len(dst) > 0 {
		toRGB(dst[:4:4], ys[0], cbs[0], crs[0])
	}
}

// toRGB converts a pixel from YCbCr (JFIF 1.02). It uses the factors of image/color, which have 16 fraction bits.
func toRGB(p []uint8, y, cb, cr uint8) {
	yy, b, r := int32(y)*0x10101, int32(cb)-128, int32(cr)-128
	p[0] = clamp((yy + 91881*r) >> 16)
	p[1] = clamp((yy - 22554*b - 46802*r) >> 16)
	p[2] = clamp((yy + 116130*b) >> 16)
	p[3] = 255
}

func clamp(v int32) uint8 {
	if uint32(v) <= 255 {
		return uint8(v)
	}
	return uint8(^(v >> 31))
}
