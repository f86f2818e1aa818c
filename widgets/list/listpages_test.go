package list

import (
	"fmt"
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestPagesBreakTexts checks lists with pages. A text that would be cut gets a second line if the list has room for two lines. A note
// gets a second line only if the page then shows as many rows as before.
func TestPagesBreakTexts(t *testing.T) {
	const list = "widgets: [{widget: list, card: false, padding: 0, margin: 0, dwell: 10s, "
	for _, tt := range []struct {
		items            string
		size             image.Point
		lines, noteLines int
	}{
		{"items: [{text: Bread from the market}, {text: Milk}, {text: Butter}]}]", image.Pt(150, 110), 2, 1},
		{"items: [{text: Bread from the market}, {text: Milk}, {text: Butter}]}]", image.Pt(150, 40), 1, 1},
		{"items: [{text: Bread, note: from the market by the river}, {text: Milk}, {text: Butter}]}]", image.Pt(170, 125), 1, 2},
		{"items: [{text: Bread, note: from the market by the river}, {text: Milk, note: from the farm on the hill}]}]", image.Pt(170, 128), 1, 1},
	} {
		walltest.ModernBubble(t, list+tt.items, walltest.Scene{Size: tt.size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			r := listIn(d).slots[0]
			if r.lines != tt.lines || r.noteMost > 1 != (tt.noteLines > 1) {
				t.Errorf("%v: %d lines and %d lines of the note, want %d and %d", tt.size, r.lines, r.noteMost, tt.lines, tt.noteLines)
			}
		})
	}
}

// TestPagesLengthenTexts checks lists with pages whose texts are cut on two lines. A cut text takes a third line if the page then shows as
// many rows as before. If there is no room for both, the third line replaces the note. Other rows keep their notes.
func TestPagesLengthenTexts(t *testing.T) {
	const list = "widgets: [{widget: list, card: false, padding: 0, margin: 0, dwell: 10s, items: [{text: %s, note: at noon}, {text: Milk, note: two bottles}]}]"
	for _, want := range []struct {
		text  string
		high  int
		lines int
		note  string
	}{
		{"The library opens on Sundays from June on", 190, 3, "at noon"},
		{"The library opens on Sundays from June on", 150, 3, ""},
		{"The library opens on Sundays", 150, 2, "at noon"},
		{"The library", 150, 1, "at noon"},
	} {
		walltest.ModernBubble(t, fmt.Sprintf(list, want.text), walltest.Scene{Size: image.Pt(190, want.high)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			r, other := listIn(d).slots[0], listIn(d).slots[1]
			if r.lines != want.lines || !r.whole() || string(r.note.Raw) != want.note {
				t.Errorf("%+v: %d lines and the note %q", want, r.lines, r.note.Raw)
			}
			if !other.used || string(other.note.Raw) != "two bottles" {
				t.Errorf("%+v: the note of the next row is %q", want, other.note.Raw)
			}
		})
	}
}

// TestPagesKeepRows checks that a text with a second line moves no row to the next page if the rows fit closer together.
func TestPagesKeepRows(t *testing.T) {
	const list = "widgets: [{widget: list, card: false, padding: 0, margin: 0, dwell: 10s, items: [{text: Milk}, {text: Bread from the market}, {text: Butter}]}]"
	for high, want := range map[int]int{120: 3, 90: 2, 60: 1} {
		walltest.ModernBubble(t, list, walltest.Scene{Size: image.Pt(150, high)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			n := 0
			for _, r := range listIn(d).slots {
				if r.used {
					n++
				}
			}
			if broken := listIn(d).slots[1]; n != want || n > 1 && broken.lines != 2 {
				t.Errorf("%d px: %d rows, and %d lines in the second, want %d and 2", high, n, broken.lines, want)
			}
		})
	}
}
