package kit

import (
	"image/color"
	"math"
	"time"

	"dashboard/provider"
	"dashboard/render"
)

// Old returns the color for an outdated text: muted, which is readable on all backgrounds of the theme.
func (b *Builder) Old(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return c
	}
	return b.Role("muted")
}

// StaleStrength is the opacity of an outdated shape, which is clearly fainter than a current one.
const StaleStrength = 0.45

// Faint returns a premultiplied color for a shape of an outdated value. For texts, use [Builder.Old].
func Faint(c color.RGBA) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * StaleStrength)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// SampleOf returns the latest sample of a cell. It marks the cell as used, so that its source keeps it up to date.
func SampleOf(t render.Tick, c *provider.Cell) *provider.Sample {
	if t.Present() {
		c.Look(t.Now())
	}
	return c.Load()
}

// IsStale reports whether a sample is outdated. If it is not, it requests an update for the time when the sample becomes outdated.
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
