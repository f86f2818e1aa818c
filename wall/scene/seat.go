package scene

import (
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
}

// NewSeat returns the seat of a view that may come.
func NewSeat() Seat {
	loop := render.NewLoop(nil, 0)
	return Seat{loop, notify.NewBoard(loop.Wake), page.New(loop.Wake), provider.NewCell(loop.Wake)}
}
