package kit

import (
	"image/color"
	"math"
	"time"

	"dashboard/provider"
	"dashboard/render"
)

// StaleStrength is how strongly a value that is out of date is drawn: too faint to be taken for a new one, still
// readable from a chair.
const StaleStrength = 0.45

// Faint returns a color, premultiplied, as it is drawn for what is out of date.
func Faint(c color.RGBA) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * StaleStrength)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// SampleOf is the latest sample of a cell, whose source is told that somebody looks at it.
func SampleOf(t render.Tick, c *provider.Cell) *provider.Sample {
	if t.Present() {
		c.Look(t.Now())
	}
	return c.Load()
}

// IsStale reports whether a sample is out of date, and has the widget called again when that begins.
func IsStale(t render.Tick, s *provider.Sample) bool {
	at, ok := s.StaleAt()
	if !ok {
		return false
	}
	stale := t.Now().After(at)
	if !stale {
		t.Wake(at.Add(time.Nanosecond))
	}
	return stale
}
