package scaledjpeg

import "math/bits"

// scanBlock reads the data of one block in a scan, and updates the block's coefficients.
func (d *Decoder) scanBlock(s *scan, c *component, at int) error {
	nn := d.n * d.n
	kept, mask := c.coefs[at*nn:at*nn+nn], &c.mask[at]
	switch {
	case !d.progressive:
		var block [beyond]int16
		d.sequential(c, &block)
		copy(kept, block[:])
	case s.start == 0 && s.high == 0:
		kept[0] = int16(d.difference(c) << s.low)
	case s.start == 0:
		kept[0] |= int16(d.bits.get(1) << s.low)
	case s.high == 0:
		d.firstAC(s, c, kept, mask)
	default:
		d.refineAC(s, c, kept, mask)
	}
	return nil
}

// firstAC reads the first bits of AC coefficients (G.1.2.2).
func (d *Decoder) firstAC(s *scan, c *component, kept []int16, mask *uint64) {
	if d.eobRun > 0 {
		d.eobRun--
		return
	}
	b := &d.bits
	for k := s.start; k <= s.end; k++ {
		if b.n < 32 {
			b.fill()
		}
		w := c.ac.whole[b.acc>>(64-lookBits)]
		run := int(w >> 8 & 0x7f)
		if w == 0 || run == blockSize {
			if w, run = d.longFirst(c.ac); run == blockSize {
				return
			}
		} else {
			b.skip(uint(w & 0xff))
		}
		if k += run; k > s.end {
			return
		}
		if w>>16 == 0 { // the code of sixteen zeros, which has no value
			continue
		}
		*mask |= 1 << (k & 63)
		if p := int(d.place[k&63]); p < len(kept) {
			kept[p] = int16(w >> 16 << s.low)
		}
	}
}

// longFirst reads a code that the table `whole` cannot decode: a code with too many bits, or the end of blocks. It returns the value,
// shifted left by 16 bits, and the number of zeros before it. If the code marks the end of blocks, the number of zeros is blockSize.
func (d *Decoder) longFirst(h *huffman) (int32, int) {
	b := &d.bits
	symbol := b.symbol(h)
	run, size := int(symbol>>4), uint(symbol&15)
	switch {
	case size > 0:
		return extend(b.get(size), int(size)) << 16, run
	case run < 15:
		d.eobRun = 1<<run + int(b.get(uint(run))) - 1
		return 0, blockSize
	}
	return 0, run
}

// refineAC reads one more bit of AC coefficients (G.1.2.3).
func (d *Decoder) refineAC(s *scan, c *component, kept []int16, mask *uint64) {
	b := &d.bits
	// `left` has a set bit for each coefficient of the band that is still to come.
	old, left := *mask, ^uint64(0)>>(63-s.end)>>s.start<<s.start
	for d.eobRun == 0 && left != 0 {
		if b.n < 32 {
			b.fill()
		}
		symbol := b.symbol(c.ac)
		run, size := int(symbol>>4), symbol&15
		v := int32(0)
		switch {
		case size == 0 && run < 15:
			d.eobRun = 1<<run + int(b.get(uint(run)))
			continue
		case size != 0:
			v = (b.get(1)*2 - 1) << s.low
		}
		zeros := left &^ old
		for ; run > 0; run-- {
			zeros &= zeros - 1
		}
		next := zeros & -zeros // bit of the new coefficient, or 0 if the band has ended
		passed := left & (next - 1)
		left &^= passed | next
		d.refine(s, passed&old, kept)
		if v != 0 && next != 0 {
			*mask |= next
			if p := int(d.place[bits.TrailingZeros64(next)&63]); p < len(kept) {
				kept[p] = int16(v)
			}
		}
	}
	if d.eobRun > 0 {
		d.eobRun--
		d.refine(s, left&old, kept)
	}
}

// refine reads one more bit for each coefficient whose bit is set in the argument `places`. These coefficients are not zero.
func (d *Decoder) refine(s *scan, places uint64, kept []int16) {
	b := &d.bits
	for left := uint(bits.OnesCount64(places)); left > 0; {
		n := min(left, 32)
		if b.n < n {
			b.fill()
		}
		ones := b.acc >> (64 - n) << (64 - n)
		b.skip(n)
		left -= n
		for passed := uint(0); ones != 0 || left > 0 && passed < n; passed++ {
			if int64(ones) < 0 {
				s.correct(kept, d.place[bits.TrailingZeros64(places)&63])
			}
			places, ones = places&(places-1), ones<<1
		}
	}
}

// correct moves a coefficient away from zero by 1<<s.low, the unit of this scan.
func (s *scan) correct(kept []int16, place uint8) {
	if int(place) >= len(kept) {
		return
	}
	step := int16(1) << s.low
	if kept[place] < 0 {
		step = -step
	}
	kept[place] += step
}
