package output

import "log/slog"

// NewLatest returns a Pacer in front of a slow output: it shows the newest frame as soon as the one before is shown. An
// output that fails is tried again with the next frame, or after a second. A nil log is silent.
func NewLatest(inner FrameDrawer, log *slog.Logger) *Pacer {
	return NewPacer(Pacing{Name: inner.String(), Draw: inner.DrawFrame, Close: inner.Halt, Log: log})
}
