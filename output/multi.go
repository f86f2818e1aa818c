package output

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"strings"
	"sync"
	"time"

	"periph.io/x/conn/v3/display"
)

// Multi gives each frame to several displays, in order. A display that fails or panics is counted and reported, at most
// once a second, and gets the whole of the next frame; the others never notice. It waits for each display: put slow ones
// behind a Latest.
type Multi struct {
	mu      sync.Mutex
	members []*member
	whole   [1]image.Rectangle // of the frame being drawn
}

type member struct {
	display.Drawer
	tally  tally
	report reporter
	missed bool // the last frame did not get through
}

var (
	_ display.Drawer = (*Multi)(nil)
	_ FrameDrawer    = (*Multi)(nil)
)

// NewMulti returns a Multi of the given displays. A nil log is silent.
func NewMulti(log *slog.Logger, displays ...display.Drawer) *Multi {
	m := &Multi{}
	for _, d := range displays {
		m.members = append(m.members, &member{Drawer: d, report: reporter{log: log, name: d.String()}})
	}
	return m
}

// DrawFrame implements FrameDrawer. It always returns nil: what failed is in Stats.
func (m *Multi) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.whole[0] = src.Rect
	for _, d := range m.members {
		rs := damage
		if d.missed {
			rs = m.whole[:]
		}
		start := time.Now()
		d.note(start, drawFrame(d.Drawer, src, rs))
	}
	return nil
}

// Draw implements display.Drawer for callers that have no whole frame. It always returns nil, like DrawFrame.
func (m *Multi) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.members {
		start := time.Now()
		err := contained(func() error { return d.Drawer.Draw(r, src, at) })
		missed := d.missed // a part does not make up for a whole frame
		d.note(start, err)
		d.missed = d.missed || missed
	}
	return nil
}

func (d *member) note(start time.Time, err error) {
	now := time.Now()
	d.missed = err != nil
	d.tally.count(start, now, err)
	d.report.note(now, err)
}

// Stats returns what each display has done, in the order given to NewMulti.
func (m *Multi) Stats() []Stats {
	s := make([]Stats, len(m.members))
	for i, d := range m.members {
		s[i] = d.tally.read()
	}
	return s
}

// Halt halts every display, whatever happens to one of them.
func (m *Multi) Halt() error {
	var errs []error
	for _, d := range m.members {
		if err := contained(d.Drawer.Halt); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", d.report.name, err))
		}
	}
	return errors.Join(errs...)
}

// Bounds returns the smallest rectangle that holds every display.
func (m *Multi) Bounds() (b image.Rectangle) {
	for _, d := range m.members {
		b = b.Union(d.Drawer.Bounds())
	}
	return b
}

// ColorModel implements display.Drawer.
func (m *Multi) ColorModel() color.Model { return rgba() }

// String names the displays.
func (m *Multi) String() string {
	names := make([]string, len(m.members))
	for i, d := range m.members {
		names[i] = d.report.name
	}
	return strings.Join(names, ", ")
}
