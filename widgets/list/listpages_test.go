package list

import (
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

// TestPagesKeepRows checks that a broken text moves no row to the next page if the rows fit closer together.
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
