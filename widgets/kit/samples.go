package kit

import (
	"image/color"
	"math"

	"dashboard/provider"
	"dashboard/render"
)

// Old returns the color for an outdated text. This is the color "muted", which is readable on all backgrounds of the theme. A transparent
// color stays transparent.
func (b *Builder) Old(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return c
	}
	return b.Role("muted")
}

// StaleStrength is the opacity of an outdated shape. With this opacity, the shape differs clearly from a current shape.
const StaleStrength = 0.45

// Faint returns a premultiplied color for a shape of an outdated value. For texts, use [Builder.Old].
func Faint(c color.RGBA) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * StaleStrength)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// SampleOf returns the latest sample of a cell. If the widget is shown, SampleOf also marks the cell as used, so that the source
// continues to update the cell.
func SampleOf(t render.Tick, c *provider.Cell) *provider.Sample {
	if t.Present() {
		c.Look(t.Now())
	}
	return c.Load()
}

// IsStale reports whether a sample is outdated. For a current sample, it requests an update for the time at which the sample becomes
// outdated.
func IsStale(t render.Tick, s *provider.Sample) bool {
	at := s.StaleAt()
	return at != nil && t.Passed(at)
}
