package output

import (
	"errors"
	"fmt"
	"image"
	"log/slog"
	"strings"
	"sync"
	"time"

	"dashboard/render/ink"
)

// Multi passes each frame to several outputs, one after the other. If an output fails or panics, Multi counts the failure. It logs
// failures of an output at most once a second. After a failure, the next damage for the output is the whole frame. A failure does not
// affect other outputs. Multi waits for each output, so wrap slow outputs in a Pacer.
type Multi struct {
	mu      sync.Mutex
	members []*member
	whole   [1]image.Rectangle // bounds of the current frame
}

type member struct {
	FrameDrawer
	draw   drawFunc
	tally  tally
	report reporter
	missed bool // the output did not show the last frame
}

var _ FrameDrawer = (*Multi)(nil)

// NewMulti returns a Multi for the given outputs. If `log` is nil, nothing is logged.
func NewMulti(log *slog.Logger, outputs ...FrameDrawer) *Multi {
	m := &Multi{}
	for _, d := range outputs {
		m.members = append(m.members, &member{FrameDrawer: d, draw: d.DrawFrame, report: reporter{log: log, name: d.String()}})
	}
	return m
}

// Mark passes the regions of photos in the next frame to the outputs that have a method Mark.
func (m *Multi) Mark(r *ink.Regions) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.members {
		if d, ok := d.FrameDrawer.(interface{ Mark(*ink.Regions) }); ok {
			d.Mark(r)
		}
	}
}

// DrawFrame implements FrameDrawer. It always returns nil. Failures appear in Stats.
func (m *Multi) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.whole[0] = src.Rect
	for _, d := range m.members {
		rs := damage
		if d.missed {
			rs = m.whole[:]
		}
		d.tally.begin(time.Now())
		d.note(d.draw.contained(src, rs))
	}
	return nil
}

func (d *member) note(err error) {
	now := time.Now()
	d.missed = err != nil
	d.tally.end(now, err, false)
	d.report.note(now, err)
}

// Stats returns the statistics of the outputs, in the order in which they were given to NewMulti.
func (m *Multi) Stats() []Stats {
	now := time.Now()
	s := make([]Stats, len(m.members))
	for i, d := range m.members {
		s[i] = d.tally.read(now, DefaultLimit)
	}
	return s
}

// Halt halts all outputs, even if some return errors.
func (m *Multi) Halt() error {
	var errs []error
	for _, d := range m.members {
		if err := contained(d.FrameDrawer.Halt); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", d.report.name, err))
		}
	}
	return errors.Join(errs...)
}

// String returns the names of the outputs.
func (m *Multi) String() string {
	names := make([]string, len(m.members))
	for i, d := range m.members {
		names[i] = d.report.name
	}
	return strings.Join(names, ", ")
}
