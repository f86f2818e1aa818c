package kit

import (
	"image/color"
	"math"
	"time"

	"dashboard/provider"
	"dashboard/render"
)

// Old is the color of an outdated text that has a color otherwise: muted, which can be read on every ground of the theme.
func (b *Builder) Old(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return c
	}
	return b.Role("muted")
}

// StaleStrength is how strongly an outdated shape is drawn: too faint for a new one.
const StaleStrength = 0.45

// Faint returns a color, premultiplied, for a shape of an outdated value. Texts have [Builder.Old].
func Faint(c color.RGBA) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * StaleStrength)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// SampleOf is the latest sample of a cell. Its source learns that the cell is in use.
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
