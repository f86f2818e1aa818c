package scene

import (
	"image"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/render"
	fonts "dashboard/render/text"
	"dashboard/samples"
	"dashboard/theme/sun"
	"dashboard/widgets/kit"
)

// mayCut lists the descriptions below headlines of samples that may end in an ellipsis. mayCutSmall lists two names that may be cut on walls
// with a shorter side of at most smallWall px.
var (
	mayCut = map[string]*regexp.Regexp{
		"kiosk": regexp.MustCompile(`^(Quatre après-midi par|Le détour passe)`),
		"news":  regexp.MustCompile(`^(The detour by|Live music, and)`),
	}
	mayCutSmall = map[string]*regexp.Regexp{"kiosk": regexp.MustCompile(`^Médiathèque d`), "office": regexp.MustCompile(`^Guest Wi`)}
)

const smallWall = 300

// longKinds are the kinds of widgets whose texts may be cut: texts in the cells of a month, recipes, and texts that move.
var longKinds = []string{"month", "markdown", ticker}

// TestNoCutNames checks that widgets do not cut names on any sample in nine sizes: smaller text, a second line or a shorter form comes first.
func TestNoCutNames(t *testing.T) {
	t.Parallel()
	for n, name := range samples.Names() {
		if name == "classic-home" || race.Left(n, 12) { // classic-home has the look of Grydgets, which cuts texts
			continue
		}
		t.Run(name, func(t *testing.T) {
			for i, size := range wallSizes {
				every, small := len(wallSizes), min(size.X, size.Y) <= smallWall
				if small {
					every = 4 // names are cut most often on small screens
				}
				if testing.Short() && (n+i)%every != 0 {
					continue // the next sample has the next size
				}
				for _, text := range cutNames(t, filepath.Join("../../samples", name), size) {
					matches := func(may *regexp.Regexp) bool { return may != nil && may.MatchString(text) }
					if !matches(mayCut[name]) && !(small && matches(mayCutSmall[name])) {
						t.Errorf("%v: the name %q is cut", size, text)
					}
				}
			}
		})
	}
}

// cutNames returns the lines of text on a wall that end in an ellipsis, except those of longKinds.
func cutNames(t *testing.T, dir string, size image.Point) (list []string) {
	t.Helper()
	standBuilt(t, dir, size, sun.Night, true, "", func(b *Builder, sc *Scene, r *render.Renderer) {
		areas := sc.Trees[sun.Night].Survey.Take(r)
		b.Text.OnPaint(func(p fonts.Painted) {
			kind := ""
			for _, a := range areas {
				if p.At.In(a.Bounds.Inset(-4)) {
					kind = a.Kind
				}
			}
			if line := strings.TrimSpace(string(p.Line)); strings.HasSuffix(line, kit.Ellipsis) && !slices.Contains(longKinds, kind) {
				list = append(list, line)
			}
		})
		defer b.Text.OnPaint(nil)
		r.Trace()
	})
	return list
}

// TestUprightSamples checks samples on upright walls, also on small ones. The weather card of the photo frame has room for hours, and the
// recipe of the kitchen has room for its last line.
func TestUprightSamples(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string][]string{"frame": {"11", "14", "17"}, "kitchen": {"Ohne Parmesan für Jonas."}} {
		for _, size := range []image.Point{{X: 480, Y: 800}, {X: 1080, Y: 1920}} {
			var lines []string
			standBuilt(t, filepath.Join("../../samples", sample), size, sun.Night, true, "", func(b *Builder, _ *Scene, r *render.Renderer) {
				b.Text.OnPaint(func(p fonts.Painted) { lines = append(lines, strings.TrimSpace(string(p.Line))) })
				defer b.Text.OnPaint(nil)
				r.Trace()
			})
			for _, text := range want {
				if !slices.Contains(lines, text) {
					t.Errorf("%s, %v: %q is not shown", sample, size, text)
				}
			}
		}
	}
}
