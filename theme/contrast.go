package theme

import (
	"image/color"

	"dashboard/config"
	"dashboard/theme/look"
)

// Minimum contrasts between the color of a role and the background of the wall or a card. With less contrast, texts are hard to read from
// across a room. The limit for the role "faint" is lower, because faint text is less important.
const (
	leastContrast = 3.0
	leastFaint    = 2.5
)

// checkContrast warns if the color of a role has too little contrast on the background or on cards, and the file sets one of these
// colors. The parameter `mode` is the key "day" or "night".
func (d *Dressed) checkContrast(block *config.Node, mode string, r *config.Report) {
	if block.Kind() != config.Map {
		return
	}
	written := func(role string) *config.Node {
		for _, n := range []*config.Node{block.Get(mode).Get("colors"), block.Get("colors")} {
			if n.Has(role) {
				return n.At(role)
			}
		}
		return nil
	}
	for _, role := range []string{"text", "muted", "faint", "accent", "good", "warn", "bad"} {
		least := leastContrast
		if role == "faint" {
			least = leastFaint
		}
		for _, ground := range []string{"background", "surface"} {
			at := written(role)
			if at == nil {
				at = written(ground)
			}
			if at == nil {
				continue
			}
			if c := look.Contrast(opaque(d.Look.Colors[role]), opaque(d.Look.Colors[ground])); c < least {
				r.Warnf(at, "%s on %s has a contrast of %.1f:1, less than %.1f:1 by %s: its texts are hard to read", role, ground, c, least, mode)
			}
		}
	}
}

// opaque() returns c without transparency.
func opaque(c color.NRGBA) color.NRGBA {
	c.A = 255
	return c
}
