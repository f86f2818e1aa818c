package panel

import (
	"image"

	"dashboard/render/ink"
)

// ssd16 drives small black and white panels with chips of Solomon: Waveshare's 2.13 inch V4 with the SSD1680 (epd2in13_V4.py), and
// Waveshare's 4.2 inch V2 with the SSD1683 (epd4in2_V2.py). A bit of 1 is white. The busy line is high while the panel is busy. The
// numbers of commands are hexadecimal.
type ssd16 struct {
	size  image.Point
	large bool // the chip is the SSD1683
	buf   []byte
}

func newSSD16(m *Model) driver {
	return &ssd16{size: m.Size, large: m.Size.X == 400, buf: make([]byte, ink.Stride(m.Size.X, 1)*m.Size.Y)}
}

// Values for command 22, which updates the panel. ssdFull makes the panel flash. ssdPartial drives only the changed pixels.
const (
	ssdFull    = 0xf7
	ssdPartial = 0xff
)

// update implements driver.
func (d *ssd16) update(s *session, r request) {
	s.idle = false
	d.begin(s, r.action == Partial)
	if r.action == Partial {
		d.plane(s, 0x26, r.last)
		d.plane(s, 0x24, r.next)
		d.show(s, ssdPartial)
	} else {
		if r.action == Clean {
			for _, v := range floods {
				d.flood(s, ^v)
			}
		}
		d.plane(s, 0x24, r.next)
		d.plane(s, 0x26, r.next)
		d.show(s, ssdFull)
	}
	s.command(0x10, 0x01) // deep sleep
}

// begin() wakes the panel and sends its settings.
func (d *ssd16) begin(s *session, partial bool) {
	s.reset()
	s.ready()
	s.command(0x12)
	s.ready()
	border := byte(0x05)
	if partial {
		border = 0x80 // do not change the border
	}
	if d.large {
		old := byte(0x40) // the chip ignores the old picture
		if partial {
			old = 0x00 // in a partial refresh, the chip uses the old picture
		}
		s.command(0x21, old, 0x00)
		s.command(0x3c, border)
		s.command(0x11, 0x03)
		return
	}
	s.command(0x01, byte(d.size.Y-1), byte((d.size.Y-1)>>8), 0x00)
	s.command(0x11, 0x03)
	s.command(0x3c, border)
	s.command(0x21, 0x00, 0x80)
	s.command(0x18, 0x80) // use the internal thermometer
	s.ready()
}

// plane() sends a picture. Command 24 sends the new picture, and command 26 sends the old picture. In a partial refresh, the panel does not
// drive pixels that are equal in both pictures. Both pictures are always sent completely, because the chip loses them when its power is
// off.
func (d *ssd16) plane(s *session, command byte, m *image.Paletted) {
	ink.Pack(d.buf, m, m.Rect, 1, whiteIsOne)
	d.write(s, command)
}

// write sends the picture in buf with the given command. The chip counts columns in bytes.
func (d *ssd16) write(s *session, command byte) {
	x, y := (d.size.X-1)/8, d.size.Y-1
	s.command(0x44, 0, byte(x))
	s.command(0x45, 0, 0, byte(y), byte(y>>8))
	s.command(0x4e, 0)
	s.command(0x4f, 0, 0)
	s.command(command)
	s.data(d.buf)
}

// flood() shows an empty picture, in which every byte is v.
func (d *ssd16) flood(s *session, v byte) {
	for i := range d.buf {
		d.buf[i] = v
	}
	d.write(s, 0x24)
	d.write(s, 0x26)
	d.show(s, ssdFull)
}

func (d *ssd16) show(s *session, how byte) {
	s.command(0x22, how)
	s.command(0x20)
	s.refreshed()
}
