package panel

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// elSim simulates the panel with two controllers. Each controller drives 600 columns.
type elSim struct {
	regs [2]map[byte][]byte // settings of each controller
}

func (*elSim) busyLevel() gpio.Level { return gpio.Low }

func (*elSim) counts() map[byte]int {
	return map[byte]int{
		0x00: 2, 0x01: 6, 0x02: 1, 0x03: 4, 0x04: 0, 0x05: 2, 0x06: 2, 0x07: 1, 0x10: -1, 0x12: 1, 0x30: 1, 0x50: 1, 0x60: 2, 0x61: 4,
		0x74: 9, 0x86: 1, 0xa4: 9, 0xa5: 3, 0xb0: 1, 0xb1: 1, 0xb6: 1, 0xb7: 1, 0xe0: 1, 0xe3: 1, 0xf0: 6,
	}
}

func (c *elSim) do(s *sim, command byte, args []byte) {
	for i, to := range s.chosen {
		if !to {
			continue
		}
		if c.regs[i] == nil {
			c.regs[i] = map[byte][]byte{}
		}
		c.regs[i][command] = args
	}
	both := s.chosen == [2]bool{true, true}
	switch command {
	case 0x10:
		if both {
			s.break_("both halves get the same picture")
		}
		return
	case 0x02, 0x04, 0x07, 0x12:
		if !both {
			s.break_("%02x for one controller", command)
		}
	}
	switch command {
	case 0x04:
		s.on = true
		s.work(80 * time.Millisecond)
	case 0x02:
		if args[0] != 0 {
			s.break_("switched off with %x", args)
		}
		s.on = false
		s.work(100 * time.Millisecond)
	case 0x07:
		if s.on || args[0] != 0xa5 {
			s.break_("no sleep: on %v, %x", s.on, args)
		}
		s.awake = s.on
		c.regs = [2]map[byte][]byte{} // after deep sleep, the settings are lost
	case 0x12:
		c.refresh(s, args)
	}
}

// wants() checks that controller i has the settings `want`.
func (c *elSim) wants(s *sim, i int, want map[byte][]byte) {
	for command, v := range want {
		if got := c.regs[i][command]; string(got) != string(v) {
			s.break_("controller %d: %02x is % x, not % x", i, command, got, v)
		}
	}
}

func (c *elSim) refresh(s *sim, args []byte) {
	both := map[byte][]byte{
		0xf0: {0x49, 0x55, 0x13, 0x5d, 0x05, 0x10}, 0x00: {0xdf, 0x6b}, 0x30: {8}, 0x50: {0x37}, 0x60: {3, 3}, 0x86: {0x10}, 0xe3: {0x22},
		0xe0: {1}, 0x61: {4, 0xb0, 3, 0x20},
	}
	c.wants(s, 0, both)
	c.wants(s, 1, both)
	c.wants(s, 0, map[byte][]byte{
		0x74: {0, 0x0c, 0x0c, 0xd9, 0xdd, 0xdd, 0x15, 0x15, 0x55}, 0xa5: {0x44, 0x54, 0}, 0x03: {0, 0xc0, 3, 0xa8},
		0xa4: {3, 0, 1, 3, 0, 3, 0, 0, 0}, 0x01: {0x0f, 0, 0x28, 0x2c, 0x28, 0x38}, 0xb6: {7}, 0x06: {0xe0, 0x20}, 0xb7: {1}, 0x05: {0xe0, 0x20},
		0xb0: {1}, 0xb1: {2},
	})
	c.wants(s, 1, map[byte][]byte{0x03: {0, 0xc0, 3, 0x9a}})
	halves := [2][]byte{c.regs[0][0x10], c.regs[1][0x10]}
	if !s.on || len(halves[0]) != 480000 || len(halves[1]) != 480000 || args[0] != 0 {
		s.break_("a refresh: on %v, %d and %d bytes, %x", s.on, len(halves[0]), len(halves[1]), args)
		return
	}
	s.show(false, s.glass.Rect, 30*time.Second, func(y int, row []uint8) bool {
		for i, half := range halves {
			if x, ok := nibbles(half[y*300:], spectraInks, row[i*600:][:600]); !ok {
				s.break_("%d,%d is of no ink", i*600+x, y)
				return false
			}
		}
		return true
	})
}
