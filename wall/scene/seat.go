package scene

import (
	"sync/atomic"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/provider"
	"dashboard/render"
)

// A Seat contains the parts of a view that its trees use, such as the board of notifications. These parts exist before the view runs, and
// a reload does not replace them.
type Seat struct {
	Loop  *render.Loop
	Board *notify.Board
	Pages *page.Pages
	Sign  *provider.Cell // its value is the notice.Sign that the wall shows, or an empty notice.Sign
	Dim   *atomic.Bool   // true if the light sensor measures less than 1 % of its range; nil if the view does not run
	Away  *atomic.Bool   // true if no person is present; nil if the view does not run
}

// NewSeat returns the Seat of a new view.
func NewSeat() Seat {
	loop := render.NewLoop(nil, 0)
	return Seat{loop, notify.NewBoard(loop.Wake), page.New(loop.Wake), provider.NewCell(loop.Wake), new(atomic.Bool), new(atomic.Bool)}
}

// near() returns a function that reports whether a person is near. If the view has no sensor, near returns nil.
func (s Seat) near(d Display) func() bool {
	if d.Presence == nil && d.Line() == nil {
		return nil
	}
	return func() bool { return s.Away == nil || !s.Away.Load() }
}

// dark() returns a function that reports whether the room is dark. If the brightness does not follow a light sensor, dark returns nil.
func (s Seat) dark(d Display) func() bool {
	if d.Settings == nil || d.Settings.Brightness == nil || !d.Settings.Brightness.Sensor {
		return nil
	}
	return func() bool { return s.Dim != nil && s.Dim.Load() }
}
