package scene

import (
	"sync/atomic"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/provider"
	"dashboard/render"
)

// A Seat holds the parts for which the trees of a view are built. It exists before the view, and costs nothing if the view is
// never opened.
type Seat struct {
	Loop  *render.Loop
	Board *notify.Board
	Pages *page.Pages
	Sign  *provider.Cell // cell with a notice.Sign, which shows the name of the wall
	Dim   *atomic.Bool   // true if the light sensor reports less than 1 % of light, nil for a view that does not run
	Away  *atomic.Bool   // true if the view's sensor reports absence, nil for a view that does not run
}

// NewSeat returns the seat of a view that may be opened.
func NewSeat() Seat {
	loop := render.NewLoop(nil, 0)
	return Seat{loop, notify.NewBoard(loop.Wake), page.New(loop.Wake), provider.NewCell(loop.Wake), new(atomic.Bool), new(atomic.Bool)}
}

// near returns a function that reports whether a person is near, or nil if there is no sensor.
func (s Seat) near(d Display) func() bool {
	if d.Presence == nil && d.Line() == nil {
		return nil
	}
	return func() bool { return s.Away == nil || !s.Away.Load() }
}

// dark returns a function that reports whether the room is dark, or nil if there is no sensor.
func (s Seat) dark(d Display) func() bool {
	if d.Settings == nil || d.Settings.Brightness == nil || !d.Settings.Brightness.Sensor {
		return nil
	}
	return func() bool { return s.Dim != nil && s.Dim.Load() }
}
