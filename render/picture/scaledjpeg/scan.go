package scaledjpeg

import (
	"errors"
	"fmt"
	"math/bits"
)

// scan is what its header says (B.2.3).
type scan struct {
	comps      []*component
	start, end int // of the coefficients, in zigzag order
	high, low  int // successive approximation (G.1.1.1.2)
}

func (d *Decoder) scanHeader() (scan, error) {
	p, err := d.segment()
	if err != nil {
		return scan{}, err
	}
	if len(p) < 4 || len(p) != 4+2*int(p[0]) || int(p[0]) < 1 || int(p[0]) > len(d.comps) {
		return scan{}, fmt.Errorf("%w: scan header", ErrBroken)
	}
	var s scan
	for ; len(p) > 5; p = append([]byte{0}, p[3:]...) {
		c := d.component(int(p[1]))
		if c == nil || p[2]>>4 > 3 || p[2]&15 > 3 {
			return s, fmt.Errorf("%w: scan header", ErrBroken)
		}
		c.dc, c.ac = &d.tables[0][p[2]>>4], &d.tables[1][p[2]&15]
		if c.quant == nil {
			quant := d.quants[c.tq] // as it is at the component's first scan
			c.quant = &quant
		}
		s.comps = append(s.comps, c)
	}
	s.start, s.end, s.high, s.low = int(p[1]), int(p[2]), int(p[3]>>4), int(p[3]&15)
	if !d.progressive {
		s.start, s.end, s.high, s.low = 0, 63, 0, 0
	}
	if s.start > s.end || s.end > 63 || s.low > 13 || d.progressive && (s.start == 0) != (s.end == 0) || s.start > 0 && len(s.comps) > 1 {
		return s, fmt.Errorf("%w: scan of coefficients %d to %d", ErrBroken, s.start, s.end)
	}
	return s, s.check()
}

// check looks whether the tables are there.
func (s *scan) check() error {
	for i, c := range s.comps {
		for _, before := range s.comps[:i] {
			if c == before {
				return fmt.Errorf("%w: a component twice in a scan", ErrBroken)
			}
		}
		if s.start == 0 && s.high == 0 && !c.dc.ready || s.end > 0 && !c.ac.ready {
			return fmt.Errorf("%w: no Huffman table", ErrBroken)
		}
	}
	return nil
}

func (d *Decoder) component(id int) *component {
	for i := range d.comps {
		if d.comps[i].id == id {
			return &d.comps[i]
		}
	}
	return nil
}

func (d *Decoder) beginScan(s scan) error {
	for _, c := range s.comps {
		c.prediction = 0
	}
	d.bits.data, d.bits.pos, d.bits.acc, d.bits.n, d.bits.over = d.data, 0, 0, 0, 0
	d.sinceRestart, d.eobRun = 0, 0
	return nil
}

// allScans reads the file to its end into the coefficients.
func (d *Decoder) allScans() error {
	for range maxScans {
		s, err := d.scanHeader()
		if err != nil {
			return err
		}
		if err := d.beginScan(s); err != nil {
			return err
		}
		if err := d.readScan(&s); err != nil {
			return err
		}
		d.data = d.data[min(d.bits.pos, len(d.data)):]
		if err := d.headers(); errors.Is(err, errEnd) || err != nil && len(d.data) < 4 {
			return nil
		} else if err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: more than %d scans", ErrUnsupported, maxScans)
}

// readScan reads one scan, of one component or of units of all of them.
func (d *Decoder) readScan(s *scan) error {
	if len(s.comps) == 1 {
		c := s.comps[0]
		for i := range c.across * c.down {
			if err := d.nextUnit(s.comps); err != nil {
				return err
			}
			if err := d.scanBlock(s, c, i/c.across*c.stride+i%c.across); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range d.unitsX * d.unitsY {
		if err := d.nextUnit(s.comps); err != nil {
			return err
		}
		for _, c := range s.comps {
			first := i/d.unitsX*c.v*c.stride + i%d.unitsX*c.h
			for b := range c.h * c.v {
				if err := d.scanBlock(s, c, first+b/c.h*c.stride+b%c.h); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// nextUnit takes the restart marker that is due (E.1.4).
func (d *Decoder) nextUnit(comps []*component) error {
	if d.restart > 0 && d.sinceRestart == d.restart {
		b := &d.bits
		for b.pos+1 < len(b.data) && (b.data[b.pos] != 0xff || b.data[b.pos+1] < rst0 || b.data[b.pos+1] > rst7) {
			if b.data[b.pos] == 0xff && b.data[b.pos+1] != 0 && b.data[b.pos+1] != 0xff {
				return fmt.Errorf("%w: no restart marker", ErrBroken)
			}
			b.pos++
		}
		b.pos, b.acc, b.n, b.over = b.pos+2, 0, 0, 0
		d.sinceRestart, d.eobRun = 0, 0
		for _, c := range comps {
			c.prediction = 0
		}
	}
	d.sinceRestart++
	if d.bits.ended() {
		return fmt.Errorf("%w: cut short", ErrBroken)
	}
	return nil
}

// scanBlock reads what a scan says of one block into its kept coefficients.
func (d *Decoder) scanBlock(s *scan, c *component, at int) error {
	nn := d.n * d.n
	kept, mask := c.coefs[at*nn:at*nn+nn], &c.mask[at]
	switch {
	case !d.progressive:
		d.block[nn] = 0
		clear(d.block[:nn])
		d.sequential(c, &ones)
		for i := range kept {
			kept[i] = int16(d.block[i])
		}
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

// difference reads a DC coefficient (F.2.2.1).
func (d *Decoder) difference(c *component) int32 {
	b := &d.bits
	if b.n < 32 {
		b.fill()
	}
	size := int(b.symbol(c.dc) & 15)
	if size > 0 {
		c.prediction += extend(b.get(size), size)
	}
	return c.prediction
}

// sequential reads a block (F.2.2.2) into d.block, times quant.
func (d *Decoder) sequential(c *component, quant *[blockSize]int32) {
	b, h := &d.bits, c.ac
	d.block[0] = d.difference(c) * quant[0]
	for k := 1; k < blockSize; k++ {
		if b.n < 32 {
			b.fill()
		}
		if w := h.whole[b.acc>>(64-lookBits)]; w != 0 {
			b.skip(int(w & 0xff))
			if k += int(w >> 8 & 0x7f); k >= blockSize {
				break
			}
			d.block[d.place[k]] = w >> 16 * quant[k]
			continue
		}
		symbol := b.symbol(h)
		run, size := int(symbol>>4), int(symbol&15)
		if size == 0 {
			if run != 15 {
				break
			}
			k += run
			continue
		}
		if k += run; k >= blockSize {
			break
		}
		d.block[d.place[k]] = extend(b.get(size), size) * quant[k]
	}
}

// ones are the factors of coefficients that are multiplied later.
var ones = func() (q [blockSize]int32) {
	for i := range q {
		q[i] = 1
	}
	return q
}()

// firstAC reads the first scan of a band of coefficients (G.1.2.2).
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
		symbol := b.symbol(c.ac)
		run, size := int(symbol>>4), int(symbol&15)
		if size == 0 {
			if run < 15 {
				d.eobRun = 1<<run + int(b.get(run)) - 1
				return
			}
			k += run
			continue
		}
		if k += run; k > s.end {
			return
		}
		v := extend(b.get(size), size) << s.low
		*mask |= 1 << k
		if p := int(d.place[k]); p < len(kept) {
			kept[p] = int16(v)
		}
	}
}

// refineAC reads one more bit of a band of coefficients (G.1.2.3).
func (d *Decoder) refineAC(s *scan, c *component, kept []int16, mask *uint64) {
	b, k := &d.bits, s.start
	for d.eobRun == 0 && k <= s.end {
		if b.n < 32 {
			b.fill()
		}
		symbol := b.symbol(c.ac)
		run, size := int(symbol>>4), int(symbol&15)
		v := int32(0)
		switch {
		case size == 0 && run < 15:
			d.eobRun = 1<<run + int(b.get(run))
			continue
		case size != 0:
			v = -1 << s.low
			if b.get(1) == 1 {
				v = 1 << s.low
			}
		}
		k = d.refine(s, k, run, kept, *mask)
		if v != 0 && k <= s.end {
			*mask |= 1 << k
			if p := int(d.place[k]); p < len(kept) {
				kept[p] = int16(v)
			}
		}
		k++
	}
	if d.eobRun > 0 {
		d.eobRun--
		d.refine(s, k, blockSize, kept, *mask)
	}
}

// refine reads a bit for each coefficient that is not zero, from k on, until it has passed so many zeros, and returns where the
// next zero is, or the first place behind the band.
func (d *Decoder) refine(s *scan, k, zeros int, kept []int16, mask uint64) int {
	for ; k <= s.end; k++ {
		if mask>>k&1 == 0 {
			if zeros == 0 {
				return k
			}
			zeros--
			next := bits.TrailingZeros64(mask >> k) // zeros in a row
			if jump := min(next-1, zeros, s.end-k); jump > 0 {
				zeros -= jump
				k += jump
			}
			continue
		}
		if d.bits.get(1) == 0 {
			continue
		}
		if p := int(d.place[k]); p < len(kept) {
			if kept[p] >= 0 {
				kept[p] += 1 << s.low
			} else {
				kept[p] -= 1 << s.low
			}
		}
	}
	return k
}
