package piece

import (
	"image"
	"testing"

	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

func TestEmptySnippet(t *testing.T) {
	if got := new(Snippet).Width(); got != 0 {
		t.Errorf("a text without letters: got a width of %d px, want 0", got)
	}
}

// TestEndOfSnippet checks that the last letter of a text at the end of a box stays inside the box.
func TestEndOfSnippet(t *testing.T) {
	b := kit.NewBuilder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Look: look.Calm(true)}}, kit.Catalog{})
	for px := 11; px <= 60; px++ {
		for _, words := range []string{"in 2 wk", "off", "W", "14°"} {
			c := NewSnippet(b, b.FaceAt(b.Look.Styles["caption"], px), kit.EdgeEnd)
			c.Place(image.Rect(0, 0, 400, 100))
			if c.Set([]byte(words)); c.Ink.Max.X > 400 {
				t.Errorf("%q of %d px ends at %d", words, px, c.Ink.Max.X)
			}
		}
	}
}
