package panel

import (
	"image"

	"dashboard/render/ink"
)

// spectra drives the 7.3 inch panels of six colors, Waveshare's (epd7in3e.py) and Pimoroni's (inky_e673.py): the same glass,
// with somewhat different settings. The busy line is low while it is busy.
type spectra struct {
	size  image.Point
	setup []setting
	last  setting // before a refresh; none for Waveshare's
	buf   []byte
}

// A setting is a command and what belongs to it.
type setting struct {
	command byte
	data    []byte
}

func newSpectra(m *Model) driver {
	d := &spectra{size: m.Size, setup: spectraWaveshare(), buf: make([]byte, ink.Stride(m.Size.X, 4)*m.Size.Y)}
	if m.pins == pimoroni {
		d.setup, d.last = spectraPimoroni(), setting{0x06, []byte{0x6f, 0x1f, 0x17, 0x49}}
	}
	return d
}

// spectraCodes are the inks as the panel calls them: black, white, yellow, red, blue, green.
var spectraCodes = []uint8{0, 1, 2, 3, 5, 6}

func spectraWaveshare() []setting {
	return []setting{
		{0xaa, []byte{0x49, 0x55, 0x20, 0x08, 0x09, 0x18}},
		{0x01, []byte{0x3f}},
		{0x00, []byte{0x5f, 0x69}},
		{0x03, []byte{0x00, 0x54, 0x00, 0x44}},
		{0x05, []byte{0x40, 0x1f, 0x1f, 0x2c}},
		{0x06, []byte{0x6f, 0x1f, 0x17, 0x49}},
		{0x08, []byte{0x6f, 0x1f, 0x1f, 0x22}},
		{0x30, []byte{0x03}},
		{0x50, []byte{0x3f}},
		{0x60, []byte{0x02, 0x00}},
		{0x61, []byte{0x03, 0x20, 0x01, 0xe0}},
		{0x84, []byte{0x01}},
		{0xe3, []byte{0x2f}},
	}
}

func spectraPimoroni() []setting {
	return []setting{
		{0xaa, []byte{0x49, 0x55, 0x20, 0x08, 0x09, 0x18}},
		{0x01, []byte{0x3f}},
		{0x00, []byte{0x5f, 0x69}},
		{0x05, []byte{0x40, 0x1f, 0x1f, 0x2c}},
		{0x08, []byte{0x6f, 0x1f, 0x1f, 0x22}},
		{0x06, []byte{0x6f, 0x1f, 0x17, 0x17}},
		{0x03, []byte{0x00, 0x54, 0x00, 0x44}},
		{0x60, []byte{0x02, 0x00}},
		{0x30, []byte{0x08}},
		{0x50, []byte{0x3f}},
		{0x61, []byte{0x03, 0x20, 0x01, 0xe0}},
		{0xe3, []byte{0x2f}},
		{0x82, []byte{0x01}},
	}
}

// update implements driver. Such a panel is always refreshed whole.
func (d *spectra) update(s *session, r request) {
	s.idle = true
	s.reset()
	s.ready()
	for _, it := range d.setup {
		s.command(it.command, it.data...)
	}
	s.command(0x10)
	s.data(d.buf[:ink.Pack(d.buf, r.next, r.next.Rect, 4, spectraCodes)])
	s.command(0x04)
	s.ready()
	if d.last.data != nil {
		s.command(d.last.command, d.last.data...)
	}
	s.command(0x12, 0x00)
	s.refreshed()
	s.command(0x02, 0x00)
	s.ready()
	s.command(0x07, 0xa5)
}
