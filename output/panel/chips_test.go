package panel

import (
	"image"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// ucSim simulates the UC8179.
type ucSim struct{}

func (*ucSim) busyLevel() gpio.Level { return gpio.Low }

func (*ucSim) counts() map[byte]int {
	return map[byte]int{0x00: 1, 0x01: 4, 0x02: 0, 0x04: 0, 0x06: 4, 0x07: 1, 0x10: -1, 0x12: 0, 0x13: -1, 0x15: 1, 0x50: 2, 0x60: 1, 0x61: 4, 0x90: 9, 0x91: 0, 0xe0: 1, 0xe5: 1}
}

func (u *ucSim) do(s *sim, command byte, args []byte) {
	switch command {
	case 0x04:
		s.on = true
		s.work(80 * time.Millisecond)
	case 0x02:
		s.on = false
		s.work(30 * time.Millisecond)
	case 0x07:
		if s.on || args[0] != 0xa5 || s.regs[0x50][0] != 0xf7 {
			s.break_("no sleep: on %v, %x, border %x", s.on, args, s.regs[0x50])
		}
		s.awake = s.on
	case 0x12:
		if !s.on {
			s.break_("a refresh without voltages")
		}
		if _, part := s.regs[0x91]; part {
			u.part(s)
		} else {
			u.whole(s)
		}
	}
}

func (u *ucSim) whole(s *sim) {
	want := map[byte][]byte{
		0x06: {0x17, 0x17, 0x28, 0x17}, 0x01: {0x07, 0x07, 0x28, 0x17}, 0x00: {0x1f}, 0x61: {3, 32, 1, 224},
		0x15: {0}, 0x50: {0x10, 0x07}, 0x60: {0x22},
	}
	red := s.model.Palette == "bwr"
	if red {
		want[0x00], want[0x50] = []byte{0x0f}, []byte{0x11, 0x07}
	}
	s.wants(want)
	all := s.glass.Rect
	first, second := s.regs[0x10], s.regs[0x13]
	if len(first) != 48000 || len(second) != 48000 {
		s.break_("planes of %d and %d bytes", len(first), len(second))
		return
	}
	takes := 4 * time.Second
	if red {
		takes = 20 * time.Second
	}
	other := make([]uint8, all.Dx())
	s.show(false, all, takes, func(y int, row []uint8) bool {
		bits(first, all, y, row)
		bits(second, all, y, other)
		for x, b := range other {
			switch {
			case red && b == 1:
				row[x] = 2
			case red:
			case row[x] == b:
				s.break_("%d,%d is not driven", x, y)
				return false
			default:
				row[x] = 1 - b
			}
		}
		return true
	})
}

func (u *ucSim) part(s *sim) {
	s.wants(map[byte][]byte{0x00: {0x1f}, 0xe0: {0x02}, 0xe5: {0x6e}, 0x50: {0xa9, 0x07}})
	w := s.regs[0x90]
	if len(w) != 9 {
		s.break_("no window")
		return
	}
	of := func(i int) int { return int(w[i])<<8 | int(w[i+1]) }
	r := image.Rect(of(0), of(4), of(2)+1, of(6)+1)
	if r.Min.X%8 != 0 || r.Max.X%8 != 0 || !r.In(s.glass.Rect) || r.Empty() || w[8] != 1 {
		s.break_("a window of %v, %x", r, w[8])
		return
	}
	old, next := s.regs[0x10], s.regs[0x13]
	if n := r.Dx() / 8 * r.Dy(); len(old) != n || len(next) != n {
		s.break_("planes of %d and %d bytes in %v", len(old), len(next), r)
		return
	}
	row := make([]uint8, r.Dx())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		bits(old, r, y, row)
		if !s.showed(r, y, row) {
			return
		}
	}
	s.show(true, r, 500*time.Millisecond, func(y int, row []uint8) bool {
		bits(next, r, y, row)
		return true
	})
}

// ssdSim simulates the SSD1680 and the SSD1683. These chips lose their memory without power.
type ssdSim struct {
	all       image.Rectangle
	next, old []byte
}

func newSSDSim(size image.Point) *ssdSim { return &ssdSim{all: image.Rectangle{Max: size}} }

func (*ssdSim) busyLevel() gpio.Level { return gpio.High }

func (*ssdSim) counts() map[byte]int {
	return map[byte]int{0x01: 3, 0x10: 1, 0x11: 1, 0x12: 0, 0x18: 1, 0x20: 0, 0x21: 2, 0x22: 1, 0x24: -1, 0x26: -1, 0x3c: 1, 0x44: 2, 0x45: 4, 0x4e: 1, 0x4f: 2}
}

func (c *ssdSim) do(s *sim, command byte, args []byte) {
	n := (c.all.Dx() + 7) / 8 * c.all.Dy()
	switch command {
	case 0x12:
		clear(s.regs)
		c.next, c.old = nil, nil
		s.regs[0x12] = nil
		s.work(10 * time.Millisecond)
	case 0x24, 0x26:
		x, y := (c.all.Dx()-1)/8, c.all.Dy()-1
		s.wants(map[byte][]byte{0x11: {0x03}, 0x44: {0, byte(x)}, 0x45: {0, 0, byte(y), byte(y >> 8)}, 0x4e: {0}, 0x4f: {0, 0}})
		delete(s.regs, 0x4e) // writing a picture changes the address counter of the chip's memory
		delete(s.regs, 0x4f)
		if len(args) != n {
			s.break_("a plane of %d bytes, not %d", len(args), n)
			return
		}
		if command == 0x24 {
			c.next = args
		} else {
			c.old = args
		}
	case 0x20:
		c.refresh(s)
	case 0x10:
		if args[0] != 1 {
			s.break_("no sleep")
		}
		s.awake = false
	}
}

func (c *ssdSim) refresh(s *sim) {
	if _, ok := s.regs[0x12]; !ok {
		s.break_("no reset by command")
	}
	if c.next == nil || c.old == nil {
		s.break_("a plane is missing")
		return
	}
	how := s.regs[0x22]
	partial := len(how) == 1 && how[0] == 0xff
	if !partial && (len(how) != 1 || how[0] != 0xf7) {
		s.break_("an update of % x", how)
	}
	border := byte(0x05)
	if partial {
		border = 0x80
	}
	if !partial && string(c.next) != string(c.old) {
		s.break_("the planes of a full update differ")
	}
	want := map[byte][]byte{0x3c: {border}}
	if c.all.Dx() == 400 {
		want[0x21] = []byte{0x40, 0}
		if partial {
			want[0x21] = []byte{0, 0}
		}
	} else {
		want[0x01], want[0x21], want[0x18] = []byte{249, 0, 0}, []byte{0, 0x80}, []byte{0x80}
	}
	s.wants(want)
	takes := 3 * time.Second
	if partial {
		takes = 400 * time.Millisecond
	}
	s.show(partial, c.all, takes, func(y int, row []uint8) bool {
		bits(c.old, c.all, y, row)
		if partial && !s.showed(c.all, y, row) {
			return false
		}
		bits(c.next, c.all, y, row)
		return true
	})
	c.next, c.old = nil, nil // after a refresh, the content of the planes is undefined
}

// spectraSim simulates the panel with six colors, or the panel with seven colors.
type spectraSim struct{ seven bool }

func (*spectraSim) busyLevel() gpio.Level { return gpio.Low }

func (c *spectraSim) counts() map[byte]int {
	if c.seven {
		return map[byte]int{0x00: 2, 0x01: 6, 0x02: 1, 0x03: 4, 0x04: 0, 0x05: 4, 0x06: 4, 0x07: 1, 0x08: 4, 0x10: -1, 0x12: 1, 0x13: 2, 0x30: 1, 0x41: 1, 0x50: 1, 0x60: 2, 0x61: 4, 0x82: 1, 0x84: 1, 0x86: 1, 0xaa: 6, 0xe0: 1, 0xe3: 1, 0xe6: 1}
	}
	return map[byte]int{0x00: 2, 0x01: 1, 0x02: 1, 0x03: 4, 0x04: 0, 0x05: 4, 0x06: 4, 0x07: 1, 0x08: 4, 0x10: -1, 0x12: 1, 0x30: 1, 0x50: 1, 0x60: 2, 0x61: 4, 0x82: 1, 0x84: 1, 0xaa: 6, 0xe3: 1}
}

func (c *spectraSim) do(s *sim, command byte, args []byte) {
	switch command {
	case 0x04:
		s.on = true
		s.work(80 * time.Millisecond)
		if s.model.Name == "inky-7in3-2025" {
			s.wants(map[byte][]byte{0x06: {0x6f, 0x1f, 0x17, 0x17}}) // this setting is replaced before the refresh
		}
	case 0x02:
		s.on = false
		if args[0] != 0 {
			s.break_("off: %x", args)
		}
		s.work(100 * time.Millisecond)
	case 0x07:
		if s.on || args[0] != 0xa5 {
			s.break_("no sleep: on %v, %x", s.on, args)
		}
		s.awake = s.on
	case 0x12:
		c.refresh(s, args)
	}
}

func (c *spectraSim) refresh(s *sim, args []byte) {
	want := map[byte][]byte{
		0xaa: {0x49, 0x55, 0x20, 0x08, 0x09, 0x18}, 0x01: {0x3f}, 0x00: {0x5f, 0x69}, 0x03: {0, 0x54, 0, 0x44}, 0x05: {0x40, 0x1f, 0x1f, 0x2c},
		0x06: {0x6f, 0x1f, 0x17, 0x49}, 0x08: {0x6f, 0x1f, 0x1f, 0x22}, 0x50: {0x3f}, 0x60: {2, 0}, 0x61: {3, 32, 1, 224}, 0xe3: {0x2f},
	}
	if c.seven {
		want[0x01], want[0x06], want[0x13], want[0x30] = []byte{0x3f, 0, 0x32, 0x2a, 0x0e, 0x2a}, []byte{0x6f, 0x1f, 0x1f, 0x22}, []byte{0, 4}, []byte{0x3c}
		for _, b := range []byte{0x41, 0x84, 0x86, 0xe0, 0xe6} {
			want[b] = []byte{0}
		}
		want[0x82] = []byte{0x1e}
	} else if s.model.Name == "inky-7in3-2025" {
		want[0x30], want[0x82] = []byte{0x08}, []byte{0x01}
	} else {
		want[0x30], want[0x84] = []byte{0x03}, []byte{0x01}
	}
	s.wants(want)
	data := s.regs[0x10]
	if !s.on || len(data) != 192000 || args[0] != 0 {
		s.break_("a refresh: on %v, %d bytes, %x", s.on, len(data), args)
		return
	}
	inks := spectraInks
	if c.seven { // the inks are black, white, green, blue, red, yellow, orange
		inks = []byte{0, 1, 2, 3, 4, 5, 6}
	}
	s.show(false, s.glass.Rect, 25*time.Second, func(y int, row []uint8) bool {
		x, ok := nibbles(data[y*400:], inks, row)
		if !ok {
			s.break_("%d,%d is of no ink", x, y)
		}
		return ok
	})
}

// spectraInks are the codes of black, white, yellow, red, blue and green.
var spectraInks = []byte{0, 1, 2, 3, 5, 6}
