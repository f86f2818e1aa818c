package output

import (
	"image"
	"log/slog"
)

// A Trier is an output with a second method for frames that never blocks.
type Trier interface {
	// TryDrawFrame calls DrawFrame, unless that would block. taken is false if it has not called DrawFrame.
	TryDrawFrame(src *image.RGBA, damage []image.Rectangle) (taken bool)
}

// NewLatest returns a Pacer for a slow output. When the output has shown a frame, the Pacer passes the newest frame to it. After an error,
// it tries again with the next frame, or after a second. If the output is a Trier, it gets frames directly and without a copy, as long as
// it does not block. If log is nil, nothing is logged.
func NewLatest(inner FrameDrawer, log *slog.Logger) *Pacer {
	p := Pacing{Name: inner.String(), Draw: inner.DrawFrame, Close: inner.Halt, Log: log}
	if t, ok := inner.(Trier); ok {
		p.Try = t.TryDrawFrame
	}
	return NewPacer(p)
}
