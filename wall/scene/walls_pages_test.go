package scene

import (
	"image"
	"path/filepath"
	"testing"

	"dashboard/internal/testing/golden"
	"dashboard/render"
	"dashboard/theme/sun"
)

// wallPages lists all pages of the walls except the first page of each wall. A page is selected by its name, or by the number of times to
// turn to the next page. `compared` is false if the page shows values of this machine, because these values are different in a golden
// picture.
var wallPages = []struct {
	wall, page string
	compared   bool
}{
	{"home", "garden", false}, {"home", "door", true}, // the page door shows the picture of a camera
	{"kiosk", "next", false}, {"kiosk", "next next", false},
	{"tour", "calendar", false}, {"tour", "values", false}, {"tour", "words", false}, {"tour", "pictures", false}, {"tour", "door", false},
}

// TestWallPages draws the pages in wallPages from recorded answers. With -long it draws these pages by day and night, in three sizes.
func TestWallPages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it draws many pictures")
	}
	sizes := []image.Point{small}
	if *inFull {
		sizes = append(sizes, image.Pt(320, 240), image.Pt(1080, 1920))
	}
	for _, p := range wallPages {
		for _, size := range sizes {
			for mode, word := range map[sun.Mode]string{sun.Day: "day", sun.Night: "night"} {
				if mode == sun.Night && !p.compared && !*inFull {
					continue
				}
				standPage(t, filepath.Join("testdata/walls", p.wall), size, mode, true, p.page, func(_ *Scene, r *render.Renderer) {
					m := r.Frame()
					if m.Rect.Size() != size || oneColor(m) {
						t.Errorf("%s %s %v by %s: the picture is plain, or of size %v", p.wall, p.page, size, word, m.Rect.Size())
					}
					if p.compared && size == small {
						golden.Compare(t, "wall-"+p.wall+"-"+filepath.Base(p.page)+"-"+word, m)
					}
				})
			}
		}
	}
}
