package list

import (
	"bytes"
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestListGrows checks that a few rows get larger text and many rows do not. No text is cut because of its larger size. Texts that are
// cut even in the usual size do not grow.
func TestListGrows(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows int
		text string
		size image.Point
		want int // number of styles
	}{
		{"few", 3, "Up", image.Pt(500, 600), kit.MostSteps},
		{"some", 7, "Up", image.Pt(500, 600), 1},
		{"many", 12, "Up", image.Pt(500, 600), 0},
		{"long", 3, strings.Repeat("mm ", 11), image.Pt(500, 600), 0},
		{"cut", 3, strings.Repeat("m", 60), image.Pt(500, 600), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items := make([]string, tt.rows)
			for i := range items {
				items[i] = fmt.Sprintf("{text: '%s', value: %d}", tt.text, i)
			}
			file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [" + strings.Join(items, ", ") + "]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				w := listIn(d)
				if w.look.step != tt.want {
					t.Errorf("the rows grew by %d steps, want %d", w.look.step, tt.want)
				}
				for _, s := range w.slots[:tt.rows] {
					if !s.whole() && tt.name != "cut" {
						t.Errorf("%q is cut", s.text.Raw)
					}
				}
				first, last := w.slots[0].rect, w.slots[tt.rows-1].rect
				if above, below := first.Min.Y, tt.size.Y-last.Max.Y; above-below > 2*tt.rows || below-above > 2*tt.rows {
					t.Errorf("%d px above the rows and %d below", above, below)
				}
			})
		})
	}
}

// TestGrownListShrinks checks that the text becomes smaller again if the rows need more room.
func TestGrownListShrinks(t *testing.T) {
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, " + busItem + "}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 400), Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
		for i, tt := range []struct{ rows, steps int }{{2, 2}, {9, 0}, {2, 2}} {
			d.ByName["p"].Publish(stops(tt.rows), walltest.T0)
			d.Step(time.Duration(i) * time.Second)
			if w := listIn(d); w.look.step != tt.steps {
				t.Errorf("%d rows grew by %d steps, want %d", tt.rows, w.look.step, tt.steps)
			}
		}
	})
}

// TestTextsTakeTwoLines checks that long texts and notes get a second line if there is free height,
// unless the file sets the number of lines. A single word that is cut does not keep the other rows
// small. Larger text must not break a text that fits on one line in the usual size.
func TestTextsTakeTwoLines(t *testing.T) {
	const long = "New bridge over the river opens to cyclists on Monday"
	for _, tt := range []struct {
		name, items string
		high        int
		lines       [3]int // lines of the three texts
		note        int    // lines of the first note
		steps       int
	}{
		{"room", "{text: " + long + ", note: " + long + " and long}, {text: Up}, {text: Down}", 300, [3]int{2, 1, 1}, 2, 0},
		{"texts", "{text: " + long + ", note: " + long + " and long}, {text: Up}, {text: Down}", 170, [3]int{2, 1, 1}, 1, 0},
		{"full", "{text: " + long + "}, {text: Up}, {text: Down}", 125, [3]int{1, 1, 1}, 0, 0},
		{"value", "{text: " + long + ", value: 21}, {text: Up, value: 1}, {text: Down, value: 2}", 300, [3]int{2, 1, 1}, 0, 1},
		{"breaks", "{text: New bridge over the wide river}, {text: Up}, {text: Down}", 300, [3]int{1, 1, 1}, 0, 1},
		{"set", "{text: " + long + ", lines: 1}, {text: Up}, {text: Down}", 170, [3]int{1, 1, 1}, 0, 0},
		{"word", "{text: " + strings.Repeat("m", 60) + "}, {text: Up}, {text: Down}", 300, [3]int{1, 1, 1}, 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [" + tt.items + "]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, tt.high), Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				w := listIn(d)
				for i, want := range tt.lines {
					if got := w.slots[i].lines; got != want {
						t.Errorf("text %d has %d lines, want %d", i, got, want)
					}
				}
				if got := w.slots[0].noteMost; got != max(1, tt.note) || w.look.step != tt.steps {
					t.Errorf("the note has %d lines and the rows grew by %d steps, want %d and %d", got, w.look.step, tt.note, tt.steps)
				}
			})
		})
	}
}

// TestValuesMoveRows checks that no pixels remain if only the width of the values has changed, so that a text has room for one line less and the
// next rows move up.
func TestValuesMoveRows(t *testing.T) {
	const file = "widgets: [{widget: list, card: false, padding: 0, margin: 0, text_size: 24, items: [{text: Bins on every Friday, value: 1}," +
		" {text: B, value: !data .p.wide}, {text: !data .p.text}, {text: Donaudampfschifffahrtsgesellschaft}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
		most := [2]int{}
		for i, p := range []any{map[string]any{"wide": "1000000 l", "text": "C"}, map[string]any{"wide": "1", "text": "Donaudampfschifffahrtskapitän"}} {
			d.ByName["p"].Publish(p, walltest.T0)
			d.Step(time.Duration(i) * time.Second)
			most[i] = listIn(d).slots[0].most
		}
		before := slices.Clone(d.R.Frame().Pix)
		d.R.Repaint()
		if d.Step(time.Second); most != [2]int{2, 1} || !bytes.Equal(before, d.R.Frame().Pix) {
			t.Errorf("got room for %d lines of the first text, want 2 and then 1, and no pixels of the earlier rows", most)
		}
	})
}
