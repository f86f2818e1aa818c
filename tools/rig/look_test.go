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

// A screen takes screenshots of a machine from outside.
type screen struct {
	take func() (*image.RGBA, error) // takes a screenshot
	lens lens
	last *image.RGBA // latest screenshot
}

const (
	// lookPause is the time between two screenshots. A screenshot needs about 50 ms of processor time.
	lookPause = 20 * time.Millisecond
	// showTime is the maximum time until a picture appears, for a busy host. It includes the dashboard's start, the painting, and the
	// driver's delay.
	showTime = 4 * time.Minute
	// steadyTime is the time for which an event must not happen. A write to the screen appears within 50 ms (deferred IO). The first case
	// checks that text does appear.
	steadyTime = 1500 * time.Millisecond
)

// newScreen returns the screen of a machine. In the screen's memory, each row is longer than on the screen by `pad` px.
func newScreen(m *qemu.Machine, f fb.Format, pad int) *screen {
	return &screen{lens: newLens(f), take: func() (*image.RGBA, error) {
		whole, err := m.Look()
		if err != nil || pad == 0 {
			return whole, err
		}
		return padded(whole, pad)
	}}
}

// padded() returns a picture without the `pad` px at its right. These px are between two rows in memory, and the program must not write to
// them.
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

// look takes a screenshot.
func (s *screen) look() (*image.RGBA, error) {
	m, err := s.take()
	if err == nil {
		s.last = m
	}
	return m, err
}

// A condition returns nil if a picture meets it, else an error that describes the fault of the picture.
type condition func(*image.RGBA) error

// await takes screenshots until the condition is met.
func (s *screen) await(c condition) error {
	return s.awaitFrom(func(*image.RGBA) error { return nil }, c, 0, showTime)
}

// awaitFrom takes screenshots until a screenshot meets the condition `c`. It returns an error if no screenshot meets `c` within `most`.
// Each earlier screenshot must meet the condition `before`. It is also an error if a screenshot meets `c` before `least` has passed.
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

// steady() takes screenshots for steadyTime. Each screenshot must meet the condition.
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

// shows() returns the condition that every pixel of a picture is on the screen.
func (s *screen) shows(want *image.RGBA) condition {
	return func(got *image.RGBA) error {
		if n, where := s.lens.differ(got, want); n > 0 {
			return fmt.Errorf("%d pixels differ, in %v", n, where)
		}
		return nil
	}
}

// oneOf returns the condition that one of two pictures is on the screen. While the screen changes from one picture to the other, it may
// show parts of both.
func (s *screen) oneOf(a, b *image.RGBA) condition {
	return func(got *image.RGBA) error { return s.lens.oneOf(got, a, b) }
}

// A block of text consists of spaces in reverse video, so every console font shows it as a rectangle of one color.
const (
	blockColumns, blockRows = 40, 10
	clearText               = "\x1b[2J\x1b[H"
)

// blockShown is a rectangle that lies inside the block even with the smallest font. blockColor is the kernel's gray.
var (
	blockShown = image.Rect(0, 0, blockColumns*6, blockRows*8)
	blockColor = color.RGBA{170, 170, 170, 255}
)

// blockText returns the text that draws the block (console_codes(4)).
func blockText() string {
	text := clearText
	for range blockRows {
		text += "\x1b[7m" + fmt.Sprintf("%*s", blockColumns, "") + "\x1b[0m\r\n"
	}
	return text
}

// showsText is the condition that the screen shows the block of text.
func (s *screen) showsText(m *image.RGBA) error {
	if err := s.lens.plain(m, blockShown, blockColor); err != nil {
		return fmt.Errorf("the console's text is not on the screen: %w", err)
	}
	return nil
}
