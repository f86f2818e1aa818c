package panel

import (
	"image"
	"time"

	"dashboard/render/ink"
)

// el133 drives the 13.3 inch panel with six colors (E Ink EL133UF1; inky_el133uf1.py). The panel has two controllers with separate select
// lines. Each controller drives half of the columns.
type el133 struct {
	size image.Point
	buf  []byte
}

func newEL133(m *Model) driver {
	return &el133{size: m.Size, buf: make([]byte, ink.Stride(m.Size.X/2, 4)*m.Size.Y)}
}

// The controllers that receive a command: one bit for each controller.
const (
	firstHalf  = 1
	secondHalf = 2
	bothHalves = firstHalf | secondHalf
)

// The pauses have the same lengths as in the maker's program, which waits for a fixed time and also checks the busy line.
const (
	el133Select  = 300 * time.Millisecond // pause between selecting a controller and the command
	el133Refresh = 32 * time.Second
)

// selected holds a setting, and the controllers that receive it.
type selected struct {
	to int
	setting
}

func el133Setup() []selected {
	return []selected{
		{firstHalf, setting{0x74, []byte{0x00, 0x0c, 0x0c, 0xd9, 0xdd, 0xdd, 0x15, 0x15, 0x55}}},
		{bothHalves, setting{0xf0, []byte{0x49, 0x55, 0x13, 0x5d, 0x05, 0x10}}},
		{bothHalves, setting{0x00, []byte{0xdf, 0x6b}}},
		{firstHalf, setting{0xa5, []byte{0x44, 0x54, 0x00}}},
		{bothHalves, setting{0x30, []byte{0x08}}},
		{bothHalves, setting{0x50, []byte{0x37}}},
		{bothHalves, setting{0x60, []byte{0x03, 0x03}}},
		{firstHalf, setting{0x03, []byte{0x00, 0xc0, 0x03, 0xa8}}},
		{secondHalf, setting{0x03, []byte{0x00, 0xc0, 0x03, 0x9a}}},
		{bothHalves, setting{0x86, []byte{0x10}}},
		{bothHalves, setting{0xe3, []byte{0x22}}},
		{bothHalves, setting{0xe0, []byte{0x01}}},
		{bothHalves, setting{0x61, []byte{0x04, 0xb0, 0x03, 0x20}}},
		{firstHalf, setting{0xa4, []byte{0x03, 0x00, 0x01, 0x03, 0x00, 0x03, 0x00, 0x00, 0x00}}},
		{firstHalf, setting{0x01, []byte{0x0f, 0x00, 0x28, 0x2c, 0x28, 0x38}}},
		{firstHalf, setting{0xb6, []byte{0x07}}},
		{firstHalf, setting{0x06, []byte{0xe0, 0x20}}},
		{firstHalf, setting{0xb7, []byte{0x01}}},
		{firstHalf, setting{0x05, []byte{0xe0, 0x20}}},
		{firstHalf, setting{0xb0, []byte{0x01}}},
		{firstHalf, setting{0xb1, []byte{0x02}}},
	}
}

// update implements driver. It always refreshes the whole panel.
func (d *el133) update(s *session, r request) {
	s.idle = true
	s.reset()
	s.ready()
	for _, it := range el133Setup() {
		d.tell(s, it.to, it.command, it.data...)
	}
	half := image.Rect(0, 0, d.size.X/2, d.size.Y)
	for _, to := range []int{firstHalf, secondHalf} {
		d.tell(s, to, 0x10, d.buf[:ink.Pack(d.buf, r.next, half, 4, spectraCodes)]...)
		half = half.Add(image.Pt(d.size.X/2, 0))
	}
	d.tell(s, bothHalves, 0x04)
	s.pause(settled)
	s.ready()
	d.tell(s, bothHalves, 0x12, 0x00)
	s.pause(el133Refresh)
	s.ready()
	d.tell(s, bothHalves, 0x02, 0x00)
	s.pause(settled)
	s.ready()
	d.tell(s, bothHalves, 0x07, 0xa5)
}

// tell() sends a command with its data to some controllers. Each bit of the parameter `to` selects one of them.
func (d *el133) tell(s *session, to int, command byte, data ...byte) {
	s.selects(to)
	s.pause(el133Select)
	s.command(command, data...)
	s.selects(0)
}
