package output

import (
	"image"
	"log/slog"
)

// A Trier is an output that can report whether it would block for a frame.
type Trier interface {
	// TryDrawFrame is DrawFrame if that does not block. It reports whether it took the frame.
	TryDrawFrame(src *image.RGBA, damage []image.Rectangle) (taken bool)
}

// NewLatest returns a Pacer for a slow output. It shows the newest frame as soon as the previous one is shown. If the output fails,
// it is tried again with the next frame or after a second. A Trier gets its frames directly, without a copy, as long as it takes
// them. A nil log is silent.
func NewLatest(inner FrameDrawer, log *slog.Logger) *Pacer {
	p := Pacing{Name: inner.String(), Draw: inner.DrawFrame, Close: inner.Halt, Log: log}
	if t, ok := inner.(Trier); ok {
		p.Try = t.TryDrawFrame
	}
	return NewPacer(p)
}
