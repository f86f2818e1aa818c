package rig

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"time"

	"dashboard/fb"
	"dashboard/tools/qemu"
)

// A screen is what a machine shows, seen from outside of it.
type screen struct {
	take func() (*image.RGBA, error) // takes its picture
	lens lens
	last *image.RGBA // the latest look
}

const (
	// lookPause is the time between two looks, each of which costs about 50 ms of a processor.
	lookPause = 20 * time.Millisecond
	// showTime is for a picture to appear: the dashboard's start, painting and the driver's own delay, on a
	// busy machine that emulates.
	showTime = 60 * time.Second
	// steadyTime is how long an event must not happen. A write to the screen appears within 50 ms (deferred IO). The
	// first case shows that text does appear in less.
	steadyTime = 1500 * time.Millisecond
)

// newScreen returns the screen of a machine, whose rows are longer in memory by pad px.
func newScreen(m *qemu.Machine, f fb.Format, pad int) *screen {
	return &screen{lens: newLens(f), take: func() (*image.RGBA, error) {
		whole, err := m.Look()
		if err != nil || pad == 0 {
			return whole, err
		}
		return padded(whole, pad)
	}}
}

// padded is a screen without the pad px at its right, which lie between two rows in memory and must not be written.
func padded(whole *image.RGBA, pad int) (*image.RGBA, error) {
	size := whole.Rect.Size().Sub(image.Pt(pad, 0))
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, whole, whole.Rect.Min, draw.Src)
	for y := range size.Y {
		for x := size.X; x < size.X+pad; x++ {
			if c := whole.RGBAAt(x, y); c.R|c.G|c.B != 0 {
				return nil, fmt.Errorf("between two rows, at %d,%d, %v was written", x, y, c)
			}
		}
	}
	return m, nil
}

// look returns what the screen shows now.
func (s *screen) look() (*image.RGBA, error) {
	m, err := s.take()
	if err == nil {
		s.last = m
	}
	return m, err
}

// A condition returns the fault of a picture, or nil.
type condition func(*image.RGBA) error

// await checks the screen until the condition is met.
func (s *screen) await(c condition) error {
	return s.awaitFrom(func(*image.RGBA) error { return nil }, c, 0, showTime)
}

// awaitFrom looks until the condition is met. Until then every look must meet the condition before, and for
// least, counted from now, no look may meet the other.
func (s *screen) awaitFrom(before, c condition, least, most time.Duration) error {
	began := time.Now()
	for {
		m, err := s.look()
		if err != nil {
			return err
		}
		spent := time.Since(began)
		problem := c(m)
		switch {
		case problem == nil && spent < least:
			return fmt.Errorf("after %v already, want %v", spent, least)
		case problem == nil:
			return nil
		case spent > most:
			return fmt.Errorf("after %v: %w", most, problem)
		}
		if err := before(m); err != nil {
			return fmt.Errorf("until then the screen has to stay as it was: %w", err)
		}
		time.Sleep(lookPause)
	}
}

// steady looks for steadyTime. Every look must meet the condition.
func (s *screen) steady(c condition) error {
	for end := time.Now().Add(steadyTime); time.Now().Before(end); time.Sleep(lookPause) {
		m, err := s.look()
		if err != nil {
			return err
		}
		if err := c(m); err != nil {
			return err
		}
	}
	return nil
}

// shows is the condition that a picture is on the screen, every pixel of it.
func (s *screen) shows(want *image.RGBA) condition {
	return func(got *image.RGBA) error {
		if n, where := s.lens.differ(got, want); n > 0 {
			return fmt.Errorf("%d pixels differ, in %v", n, where)
		}
		return nil
	}
}

// oneOf is the condition that one of two pictures is on the screen, or, while it is painted, some of both.
func (s *screen) oneOf(a, b *image.RGBA) condition {
	return func(got *image.RGBA) error { return s.lens.oneOf(got, a, b) }
}

// A block of text: spaces in reverse video, which any console font shows as a rectangle of one color.
const (
	blockColumns, blockRows = 40, 10
	clearText               = "\x1b[2J\x1b[H"
)

// blockShown is inside of the block with the smallest font there is, and blockColor is the kernel's grey.
var (
	blockShown = image.Rect(0, 0, blockColumns*6, blockRows*8)
	blockColor = color.RGBA{170, 170, 170, 255}
)

// blockText draws the block, as console_codes(4) has it.
func blockText() string {
	text := clearText
	for range blockRows {
		text += "\x1b[7m" + fmt.Sprintf("%*s", blockColumns, "") + "\x1b[0m\r\n"
	}
	return text
}

// showsText is the condition that the block is on the screen.
func (s *screen) showsText(m *image.RGBA) error {
	if err := s.lens.plain(m, blockShown, blockColor); err != nil {
		return fmt.Errorf("the console's text is not on the screen: %w", err)
	}
	return nil
}
