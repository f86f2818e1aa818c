package scene

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/render"
	fonts "dashboard/render/text"
	"dashboard/samples"
	"dashboard/theme/sun"
)

// TestNoClippedGlyph draws all samples in nine sizes, by day and night. The ink of each line of text must be inside of its widget's
// area, and no number may end in an ellipsis. Only the text of a ticker may extend beyond its area.
func TestNoClippedGlyph(t *testing.T) {
	t.Parallel()
	for n, name := range samples.Names() {
		if race.Left(n, 12) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			sizes := wallSizes
			if name == "hat" || name == "epaper" { // samples for small screens
				sizes = append(slices.Clone(sizes), image.Pt(250, 122), image.Pt(296, 128))
			}
			for i, size := range sizes {
				if testing.Short() && (n+i)%len(wallSizes) != 0 {
					continue // the next sample has the next size
				}
				for mode, word := range map[sun.Mode]string{sun.Day: "day", sun.Night: "night"} {
					if testing.Short() && mode == sun.Day {
						continue // usually the layout by day is the same
					}
					for _, wrong := range clippedTexts(t, filepath.Join("../../samples", name), size, mode) {
						t.Errorf("%v by %s: %s", size, word, wrong)
					}
				}
			}
		})
	}
}

// clippedTexts describes the lines of text on a wall that are cut off, and the numbers with an ellipsis.
func clippedTexts(t *testing.T, dir string, size image.Point, mode sun.Mode) (list []string) {
	t.Helper()
	standBuilt(t, dir, size, mode, true, "", func(b *Builder, sc *Scene, r *render.Renderer) {
		areas := sc.Trees[mode].Survey.Take(r)
		b.Text.OnPaint(func(p fonts.Painted) {
			kind := ""
			for _, a := range areas {
				if p.At.In(a.Bounds.Inset(-4)) || a.Kind == ticker && p.Clip.In(a.Bounds) {
					kind = a.Kind
				}
			}
			switch line := strings.TrimSpace(string(p.Line)); {
			case kind == ticker:
			case !p.Ink.In(p.Clip):
				list = append(list, fmt.Sprintf("%s: %q is painted at %v, outside of %v", kind, line, p.Ink, p.Clip))
			case cutNumber.MatchString(line):
				list = append(list, fmt.Sprintf("%s: the number %q is cut", kind, line))
			}
		})
		defer b.Text.OnPaint(nil)
		r.Trace()
	})
	return list
}
