package piece

import (
	"testing"

	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// TestBreak checks where the second line of a text starts. A range does not break next to its dash.
func TestBreak(t *testing.T) {
	b := kit.NewBuilder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Look: look.Calm(true)}}, kit.Catalog{})
	c := NewSnippet(b, b.Face("body"), kit.EdgeStart)
	for _, tt := range []struct{ words, room, first string }{
		{"Call with the roofer", "Call with the r", "Call with the "},
		{"Open Mon – Wed", "Open Mon –", "Open "},
		{"Mon – Wed", "Mon –", ""},
		{"Harbour/Quay", "Harbour/Qu", "Harbour/"},
		{"Roofer", "Roo", ""},
	} {
		at, over := c.Break([]byte(tt.words), b.TextWidth(c.Face, tt.room))
		if got := tt.words[:at]; got != tt.first || (over > 0) != (at == 0) {
			t.Errorf("%q in the width of %q: the first line is %q and %d px too long, want %q", tt.words, tt.room, got, over, tt.first)
		}
	}
}
