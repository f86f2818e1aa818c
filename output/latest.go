package output

import (
	"image"
	"log/slog"
)

// A Trier is an output that knows whether it would block for a frame.
type Trier interface {
	// TryDrawFrame is DrawFrame if that does not wait, and reports whether it took the frame.
	TryDrawFrame(src *image.RGBA, damage []image.Rectangle) (taken bool)
}

// NewLatest returns a Pacer in front of a slow output: it shows the newest frame as soon as the one before is shown. An
// output that fails is tried again with the next frame, or after a second. An output that is a Trier gets its frames at once
// while it takes them, without a copy. A nil log is silent.
func NewLatest(inner FrameDrawer, log *slog.Logger) *Pacer {
	p := Pacing{Name: inner.String(), Draw: inner.DrawFrame, Close: inner.Halt, Log: log}
	if t, ok := inner.(Trier); ok {
		p.Try = t.TryDrawFrame
	}
	return NewPacer(p)
}
