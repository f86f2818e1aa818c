package list

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

// TestStrongRows checks that a row has bold text while its condition is true, for rows of the file, for a template and for entries in the
// form of a row. Bold text has the color of texts, also in a row with a muted color.
func TestStrongRows(t *testing.T) {
	const file = `items: [{text: Sat, value: 9 – 14, color: muted, strong: {days: sat}}, {text: Sun, value: closed, color: muted, strong: {days: sun}}]`
	entries := []any{map[string]any{"text": "Sat", "value": "9 – 14", "color": "muted", "strong": true}, map[string]any{"text": "Sun", "color": "muted", "strong": "off"}}
	for _, tc := range []struct {
		name, rows string
		after      time.Duration
		want       int // index of the bold row
	}{
		{"written, Saturday", file, 0, 0},
		{"written, Sunday", file, 24 * time.Hour, 1},
		{"written with a text size", "text_size: 30, " + file, 0, 0},
		{"written with a weight", "weight: 700, " + file, 0, 0},
		{"own form", "items: !data .p", 0, 0},
		{"template", "items: !data .p, item: {text: !data .item.text, value: 1, color: muted, strong: !data .item.strong}", 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.ModernBubble(t, "theme: {colors: {muted: '#95a1b3'}}\nwidgets: [{widget: list, "+tc.rows+"}]", walltest.Scene{Size: image.Pt(300, 240)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(entries, walltest.T0)
				d.Step(0)
				d.Step(tc.after)
				w := listIn(d)
				plain := w.slots[1-tc.want]
				if plain.text.Face.Font != w.look.body.Font || plain.textInk != w.look.muted {
					t.Errorf("the row %q is bold, or has another color than muted", plain.text.Raw)
				}
				bold := w.slots[tc.want]
				for _, s := range []*piece.Snippet{&bold.text, &bold.value} {
					if s.Face.Font == w.look.body.Font || s.Face.Font == w.look.strong.Font || s.Face.Size != w.look.body.Size || s.Ink.Empty() {
						t.Errorf("%q is not bold, or has another size", s.Raw)
					}
				}
				if bold.textInk != w.look.text || bold.ink != w.look.text {
					t.Errorf("the bold row has the colors %v and %v, want %v", bold.textInk, bold.ink, w.look.text)
				}
			})
		})
	}
}

// TestStrongEntriesHavePrograms checks that the condition of a template must be a program.
func TestStrongEntriesHavePrograms(t *testing.T) {
	got := complaints(t, "widgets: [{widget: list, items: !data .p, item: {text: a, strong: {days: sat}}}]")
	if want := "strong of an entry is a program: strong: !data .item.NAME"; strings.Count(got, want) != 1 {
		t.Errorf("got %q, want %q once", got, want)
	}
}

// TestStrongTextIsWhole checks widths in which a text fits, but not the same text in bold. The bold text is not cut: it becomes smaller or
// takes a second line.
func TestStrongTextIsWhole(t *testing.T) {
	for _, strong := range []string{"false", "true"} {
		for wide := 150; wide < 240; wide++ {
			file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [{text: Mwmwmwmw Mwmwmw, strong: !data .p, value: 10 – 20}]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(wide, 120), Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(strong == "true", walltest.T0)
				d.Step(0)
				d.Step(time.Second)
				r := listIn(d).slots[0]
				if r.block != nil && r.block.Block.Shortened() || r.block == nil && r.text.Want() > r.text.Box.Dx() || r.value.Want() > r.value.Box.Dx() {
					t.Errorf("%d px, strong %s: the text or the value is cut", wide, strong)
				}
			})
		}
	}
}

// TestValuesInTheNarrowestLists checks a list in which a value fits only in the smallest text. The value is complete, and the name is above
// it.
func TestValuesInTheNarrowestLists(t *testing.T) {
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [{text: Thu, value: 10 – 20}, {text: Fri, value: 10 – 21}]}]"
	for wide := 41; wide < 60; wide++ {
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(wide, 120), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			for i, r := range listIn(d).slots {
				if r.text.Ink.Empty() || r.value.Want() > r.value.Box.Dx() {
					t.Errorf("%d px, row %d: the row shows %q and %q", wide, i, r.text.Raw, r.value.Cut)
				}
			}
		})
	}
}
