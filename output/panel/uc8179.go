package panel

import (
	"image"
	"time"

	"dashboard/render/ink"
)

// uc8179 drives Waveshare's 7.5 inch panels V2 (UltraChip UC8179; epd7in5_V2.py, epd7in5b_V2.py). The numbers are hexadecimal, as in the
// datasheet. The busy line is low while the panel is busy.
type uc8179 struct {
	size image.Point
	red  bool // the panel has black, white and red
	buf  []byte
}

func newUC8179(m *Model) driver {
	return &uc8179{size: m.Size, red: m.Palette == "bwr", buf: make([]byte, ink.Stride(m.Size.X, 1)*m.Size.Y)}
}

// `settled` is the time after a command until the busy line is valid.
const settled = 100 * time.Millisecond

// Codes for ink.Pack: the bit in a plane of the chip for each ink of the palette.
var (
	whiteIsOne = []uint8{0, 1}
	blackIsOne = []uint8{1, 0}
	redIsOne   = []uint8{0, 0, 1}      // a bit of 1 is red. The inks are black, white and red
	notBlack   = []uint8{0, 1, 1}      // a bit of 1 is not black. The inks are black, white and red
	floods     = [...]byte{0, 0xff, 0} // bytes for white, black and white, if a bit of 1 is black
)

// update implements driver.
func (d *uc8179) update(s *session, r request) {
	s.idle = true
	if r.action == Partial {
		d.part(s, r)
	} else {
		d.begin(s)
		if r.action == Clean {
			for _, v := range floods {
				d.flood(s, v)
			}
		}
		d.whole(s, r.next)
	}
	d.sleep(s)
}

// begin() wakes the panel for a full refresh with its built-in waveforms.
func (d *uc8179) begin(s *session) {
	s.reset()
	s.command(0x06, 0x17, 0x17, 0x28, 0x17) // settings of the booster
	s.command(0x01, 0x07, 0x07, 0x28, 0x17) // settings of the voltages
	d.on(s)
	setting, interval := byte(0x1f), byte(0x10)
	if d.red {
		setting, interval = 0x0f, 0x11
	}
	s.command(0x00, setting)
	s.command(0x61, byte(d.size.X>>8), byte(d.size.X), byte(d.size.Y>>8), byte(d.size.Y))
	s.command(0x15, 0x00)
	s.command(0x50, interval, 0x07) // color of the border. In the data, 1 is black
	s.command(0x60, 0x22)
}

func (d *uc8179) on(s *session) {
	s.command(0x04)
	s.pause(settled)
	s.ready()
}

// whole() shows a picture with a full refresh. A panel with black and white also receives the inverse picture as its old picture, so that
// every pixel changes. A panel with red receives one plane for black and one plane for red.
func (d *uc8179) whole(s *session, m *image.Paletted) {
	first, second := whiteIsOne, blackIsOne
	if d.red {
		first, second = notBlack, redIsOne
	}
	d.plane(s, 0x10, m, m.Rect, first)
	d.plane(s, 0x13, m, m.Rect, second)
	d.show(s)
}

// flood() shows an empty picture, in which every byte is v.
func (d *uc8179) flood(s *session, v byte) {
	for i := range d.buf {
		d.buf[i] = ^v
	}
	s.command(0x10)
	s.data(d.buf)
	for i := range d.buf {
		d.buf[i] = v
	}
	s.command(0x13)
	s.data(d.buf)
	d.show(s)
}

// part() refreshes only the changed part of the panel. The panel loses its memory in sleep, so the old picture is sent too. The panel
// compares the old picture with the new picture. In both pictures, a bit of 1 is white. For the old picture, this meaning of the bits was
// not tested on a real panel.
func (d *uc8179) part(s *session, r request) {
	s.reset()
	s.command(0x00, 0x1f)
	d.on(s)
	s.command(0xe0, 0x02) // use a fixed temperature instead of the measured temperature
	s.command(0xe5, 0x6e) // the waveform for this temperature does not flash
	s.command(0x50, 0xa9, 0x07)
	s.command(0x91)
	at, to := r.window.Min, r.window.Max.Sub(image.Pt(1, 1))
	s.command(0x90, byte(at.X>>8), byte(at.X), byte(to.X>>8), byte(to.X), byte(at.Y>>8), byte(at.Y), byte(to.Y>>8), byte(to.Y), 0x01)
	d.plane(s, 0x10, r.last, r.window, whiteIsOne)
	d.plane(s, 0x13, r.next, r.window, whiteIsOne)
	d.show(s)
}

func (d *uc8179) plane(s *session, command byte, m *image.Paletted, r image.Rectangle, codes []uint8) {
	n := ink.Pack(d.buf, m, r, 1, codes)
	s.command(command)
	s.data(d.buf[:n])
}

func (d *uc8179) show(s *session) {
	s.command(0x12)
	s.pause(settled)
	s.refreshed()
}

// sleep() switches the voltages off and makes the panel sleep. Only a reset wakes it.
func (d *uc8179) sleep(s *session) {
	s.command(0x50, 0xf7)
	s.command(0x02)
	s.ready()
	s.command(0x07, 0xa5)
}
