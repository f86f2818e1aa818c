package scene

import (
	"sync/atomic"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/provider"
	"dashboard/render"
)

// A Seat is what the trees of a view are built for. It is there before the view, and costs nothing if that never comes.
type Seat struct {
	Loop  *render.Loop
	Board *notify.Board
	Pages *page.Pages
	Sign  *provider.Cell // a notice.Sign: the wall shows its name
	Dim   *atomic.Bool   // the light sensor reports less than 1 % of light; nil for a view that does not run
	Away  *atomic.Bool   // the sensor of the view reports absence; nil for a view that does not run
}

// NewSeat returns the seat of a view that may come.
func NewSeat() Seat {
	loop := render.NewLoop(nil, 0)
	return Seat{loop, notify.NewBoard(loop.Wake), page.New(loop.Wake), provider.NewCell(loop.Wake), new(atomic.Bool), new(atomic.Bool)}
}

// near is how the widgets of a scene ask whether a person is near, or nil without a sensor.
func (s Seat) near(d Display) func() bool {
	if d.Presence == nil && d.Line() == nil {
		return nil
	}
	return func() bool { return s.Away == nil || !s.Away.Load() }
}

// dark is how the widgets of a scene ask whether the room is dark, or nil without a sensor.
func (s Seat) dark(d Display) func() bool {
	if d.Settings == nil || d.Settings.Brightness == nil || !d.Settings.Brightness.Sensor {
		return nil
	}
	return func() bool { return s.Dim != nil && s.Dim.Load() }
}
