package output

import (
	"image"
	"log/slog"
)

// A Trier is an output that also has a drawing method that never blocks.
type Trier interface {
	// TryDrawFrame draws a frame like DrawFrame, unless this would block. taken reports whether it has drawn the frame.
	TryDrawFrame(src *image.RGBA, damage []image.Rectangle) (taken bool)
}

// NewLatest returns a Pacer for a slow output. When the output has shown a frame, the Pacer passes the newest frame to it. After an
// error, the Pacer tries again when the next frame arrives, but at the latest after a second. If the output is a Trier, it gets frames
// directly and without a copy, as long as TryDrawFrame accepts them. If `log` is nil, nothing is logged.
func NewLatest(inner FrameDrawer, log *slog.Logger) *Pacer {
	p := Pacing{Name: inner.String(), Draw: inner.DrawFrame, Close: inner.Halt, Log: log}
	if t, ok := inner.(Trier); ok {
		p.Try = t.TryDrawFrame
	}
	return NewPacer(p)
}
