package piece

import (
	"image"
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
		{"Hauptbahnhof – Messe", "Hauptbahnhof – M", "Hauptbahnhof – "},
		{"Harbour/Quay", "Harbour/Qu", "Harbour/"},
		{"Roofer", "Roo", ""},
		{"Gemüsemarkt", "Gemüsem", ""},
	} {
		at, over := c.Break([]byte(tt.words), b.TextWidth(c.Face, tt.room))
		if got := tt.words[:at]; got != tt.first || (over > 0) != (at == 0) {
			t.Errorf("%q in the width of %q: the first line is %q and %d px too long, want %q", tt.words, tt.room, got, over, tt.first)
		}
	}
}

// TestRangesStayOnOneLine checks that a paragraph does not break next to the dash of a range.
func TestRangesStayOnOneLine(t *testing.T) {
	b := kit.NewBuilder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Look: look.Calm(true)}}, kit.Catalog{})
	for _, tt := range []struct {
		words, room string
		lines       int
	}{
		{"Mar – mer", "Mar – ", 1}, {"Open 18 – 23", "Open 18 –", 2}, {"One – two three", "One – two", 2}, {"Station – Museum", "Station –", 2},
	} {
		p := NewParagraph(b, b.Face("body"), image.Pt(b.TextWidth(b.Face("body"), tt.room)+1, 200), kit.EdgeStart, text.Top, 0)
		p.Set(tt.words)
		if got := p.Block.Lines(); got != tt.lines {
			t.Errorf("%q in the width of %q: %d lines, want %d", tt.words, tt.room, got, tt.lines)
		}
		if p.Raw != tt.words {
			t.Errorf("the text of %q became %q", tt.words, p.Raw)
		}
	}
}
