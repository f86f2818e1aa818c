package scaledjpeg

import (
	"errors"
	"fmt"
)

// scan is the content of a scan header (B.2.3).
type scan struct {
	comps      []*component
	start, end int // first and last coefficient of the scan, in zigzag order
	high, low  int // bit positions of successive approximation (G.1.1.1.2)
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
			quant := d.quants[c.tq] // keep the table of the component's first scan, because later segments may replace it
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

// check returns an error if the scan has a component twice or uses a missing Huffman table.
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

// allScans reads all scans of the file and stores the coefficients of the whole picture.
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

// readScan reads one scan. A scan contains the blocks of one component, or the units of several components.
func (d *Decoder) readScan(s *scan) error {
	if len(s.comps) == 1 {
		c := s.comps[0]
		for i := range c.across * c.down {
			if err := d.nextUnit(s.comps); err != nil {
				return err
			}
			if err := d.scanBlock(s, c, i/c.across*c.pitch()+i%c.across); err != nil {
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
			first := i/d.unitsX*c.v*c.pitch() + i%d.unitsX*c.h
			for b := range c.h * c.v {
				if err := d.scanBlock(s, c, first+b/c.h*c.pitch()+b%c.h); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// nextUnit prepares for the next unit. It reads a restart marker if one is due (E.1.4).
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
