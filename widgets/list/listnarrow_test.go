package list

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

const longNames = `items: [{text: Living room and kitchen, value: 21.4, unit: °C}, {text: Wohnzimmerfenster, value: geöffnet, icon: mdi:window-open},
  {text: Garden and terrace, value: 4.25, unit: kWh}, {text: Outside temperature, value: 1234567, unit: W}]`

// TestNamesInNarrowLists checks rows in which name and value do not fit side by side. The value is complete, the name is shortened, and
// all rows have smaller text. In a very narrow list, the value is below the name.
func TestNamesInNarrowLists(t *testing.T) {
	for _, tc := range []struct {
		wide    int
		named   int // number of rows with a name
		crowded bool
	}{{300, 4, false}, {124, 4, true}, {112, 4, true}, {50, 3, true}} {
		file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, " + longNames + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(tc.wide, 240), Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w, named := listIn(d), 0
			for i, r := range w.slots {
				if got := string(r.value.Cut); r.value.Want() > r.value.Box.Dx() && tc.wide > 50 {
					t.Errorf("%d px, row %d: the value %q is cut to %q", tc.wide, i, r.value.Raw, got)
				}
				if !r.text.Ink.Empty() {
					named++
				}
				if r.text.Ink.Overlaps(r.value.Ink) {
					t.Errorf("%d px, row %d: text %v and value %v overlap", tc.wide, i, r.text.Ink, r.value.Ink)
				}
				if r.value.Face != w.slots[0].value.Face {
					t.Errorf("%d px, row %d: values of two sizes", tc.wide, i)
				}
			}
			if named != tc.named || w.look.crowded != tc.crowded {
				t.Errorf("%d px: %d names, small type: %v; want %d, %v", tc.wide, named, w.look.crowded, tc.named, tc.crowded)
			}
		})
	}
}

// TestRowsOfTwoLines checks narrow lists in which names would be cut to a few letters. The value is below the complete name, and a text
// without a value has two lines. The other rows keep one line. A list that is as high as its rows becomes higher.
func TestRowsOfTwoLines(t *testing.T) {
	const rows = "items: [{text: Bath, value: 58}, {text: Front door, value: unlocked}, {text: Until 8 o’clock}, {text: 'Mon to Fri', value: '9 – 17', unit: h}]"
	for _, file := range []string{
		"widgets: [{widget: list, card: false, padding: 0, margin: 0, " + rows + "}]",
		"widgets: [{widget: column, margin: 0, children: [{widget: list, card: false, padding: 0, size: fit, " + rows + "}, {widget: space}]}]",
	} {
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(72, 160), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
			for range 6 {
				d.Step(0)
			}
			inner := walltest.Only[*kit.Frame](d).Inner
			if column, ok := inner.(*arrange.Line); ok {
				inner = column.Children[0].Widget.(*kit.Guard).Inner.(*kit.Frame).Inner
			}
			for i, r := range inner.(*List).slots {
				if r.stacks != (i > 0) || !r.used {
					t.Errorf("row %d: two lines: %v, shown: %v", i, r.stacks, r.used)
				}
				if i == 2 {
					if r.block == nil || r.block.Block.Shortened() || r.block.Block.Lines() != 2 {
						t.Errorf("row %d has no second line, or is cut", i)
					}
					continue
				}
				for _, s := range []*piece.Snippet{&r.text, &r.value} {
					if s.Ink.Empty() || s.Want() > s.Box.Dx() || !s.Ink.In(r.rect) {
						t.Errorf("row %d: %q is at %v of %v", i, s.Raw, s.Ink, r.rect)
					}
				}
				if below := r.value.Ink.Min.Y >= r.text.Ink.Max.Y-2; below != (i > 0) || r.text.Ink.Overlaps(r.value.Ink) {
					t.Errorf("row %d: text %v, value %v", i, r.text.Ink, r.value.Ink)
				}
			}
		})
	}
}

// TestFewRowsOfTwoLines checks a narrow list in which rows with two lines would leave only one of three rows. All rows keep one line. The
// same list with more room has rows with two lines.
func TestFewRowsOfTwoLines(t *testing.T) {
	const rows = "items: [{text: Living room, value: 18.5, unit: °}, {text: Bedroom floor, value: 19.5, unit: °}, {text: Front door, value: open}]"
	for high, want := range map[int]int{84: 0, 120: 3} {
		file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, " + rows + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(64, high), Picture: image.Pt(240, 320)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			shown, two := 0, 0
			for _, r := range listIn(d).slots {
				if r.used {
					shown++
				}
				if r.used && r.stacks {
					two++
				}
			}
			if shown != 3 || two != want {
				t.Errorf("%d px: %d rows, %d with two lines, want 3 and %d", high, shown, two, want)
			}
		})
	}
}

// TestRowsGrowAgain checks that rows have small text only while a shown row needs small text.
func TestRowsGrowAgain(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: !data .p}]", walltest.Scene{Size: image.Pt(124, 240), Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
		row := func(text string, v any) any { return map[string]any{"text": text, "value": v} }
		for i, tc := range []struct {
			rows []any
			want bool
		}{
			{[]any{row("Room", 1.0), row("Garden", 2.0)}, false},
			{[]any{row("Room", 1.0), row("Garden", 1234567.0)}, true},
			{[]any{row("Room", 1.0), row("Garden", 3.0)}, false},
		} {
			d.ByName["p"].Publish(tc.rows, walltest.T0)
			d.Step(time.Duration(i) * time.Second)
			if got := listIn(d).look.crowded; got != tc.want {
				t.Errorf("step %d: small type: %v, want %v", i, got, tc.want)
			}
			small := listIn(d).look.small
			for k, r := range listIn(d).slots[:2] {
				if got := r.value.Face == small && r.text.Face == small; got != tc.want {
					t.Errorf("step %d, row %d: small %v, want %v", i, k, got, tc.want)
				}
			}
		}
	})
}

// longEntries returns entries whose texts have the given number of bytes.
func longEntries(bytes int) []any {
	long := strings.Repeat("שלום עולם ", bytes/17+1)
	var all []any
	for i := range 50 {
		s := fmt.Sprint(i, long)[:bytes]
		all = append(all, map[string]any{"text": s, "note": s, "badge": s, "value": s, "unit": s})
	}
	return all
}

// TestLongEntries checks that at most maxRowText bytes of a text and an ellipsis are shaped. Texts of 4,000 and of 1,100 bytes look the
// same.
func TestLongEntries(t *testing.T) {
	const cells = "columns: [{value: !data .item.text}, {value: !data .item.value, unit: !data .item.unit}]"
	for _, tc := range []struct{ name, widget string }{
		{"list", "widget: list, items: !data .p"},
		{"lines", "widget: list, items: !data .p, item: {text: !data .item.text, lines: 3}"},
		{"table", "widget: table, items: !data .p, " + cells},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shown := func(bytes int) (pixels string) {
				walltest.ModernBubble(t, "widgets: [{"+tc.widget+"}]", walltest.Scene{Size: image.Pt(700, 600), Locale: "he"}, look.Calm(true), func(d *walltest.Data) {
					d.ByName["p"].Publish(longEntries(bytes), walltest.T0)
					d.Step(0)
					if n := longestShaped(walltest.Only[*kit.Frame](d).Inner); n == 0 || n > maxRowText+len(kit.Ellipsis) {
						t.Errorf("%d bytes: %d of one text were shaped, want at most %d", bytes, n, maxRowText)
					}
					pixels = string(d.R.Frame().Pix)
				})
				return pixels
			}
			if shown(4000) != shown(1100) {
				t.Error("4,000 bytes look otherwise than 1,100")
			}
		})
	}
}

// longestShaped returns the length in bytes of the longest text that a list or a table has shaped.
func longestShaped(w any) (n int) {
	var all []*piece.Snippet
	switch w := w.(type) {
	case *List:
		for _, r := range w.slots {
			all = append(all, &r.text, &r.note, &r.badge, &r.value, &r.tail)
			if r.block != nil {
				n = max(n, len(r.block.Raw)/r.item.Lines)
			}
		}
	case *table:
		for i := range w.slots {
			for k := range w.slots[i].cells {
				all = append(all, &w.slots[i].cells[k].text, &w.slots[i].cells[k].tail)
			}
		}
	}
	for _, s := range all {
		n = max(n, len(s.Raw))
	}
	return n
}

// TestIconsLeaveBeforeNamesAreCut checks that the icons of all rows are hidden if a name is complete only without its icon.
func TestIconsLeaveBeforeNamesAreCut(t *testing.T) {
	for _, c := range []struct {
		size, picture image.Point
		icons, cut    int // numbers of rows with an icon and of rows whose name is cut
	}{{image.Pt(320, 240), image.Pt(800, 480), 3, 0}, {image.Pt(253, 210), image.Pt(800, 480), 0, 1}, {image.Pt(210, 253), image.Pt(480, 800), 0, 0}, {image.Pt(800, 480), image.Pt(1280, 720), 3, 0}} {
		k := walltest.EveryKind(t)["list"]
		walltest.ModernBubble(t, "widgets: ["+k.Widget+"]", walltest.Scene{Size: c.size, Picture: c.picture}, look.Calm(true), func(d *walltest.Data) {
			for i := range 3 { // the result is the same after an update
				d.ByName["p"].Publish(walltest.Rooms(3), walltest.T0.Add(time.Duration(i)*time.Second))
				d.Step(time.Duration(i) * time.Second)
				icons, cut := 0, 0
				for _, r := range listIn(d).slots[:3] {
					if r.mark.Name != "" {
						icons++
					}
					if r.text.Want() > r.text.Box.Dx() {
						cut++
					}
				}
				if icons != c.icons || cut != c.cut {
					t.Errorf("%v: %d icons, %d names cut; want %d, %d", c.size, icons, cut, c.icons, c.cut)
				}
			}
		})
	}
}

// TestSmallTypeBeforeTwoLetters checks that a name that would be cut to two letters is shown completely in small text.
func TestSmallTypeBeforeTwoLetters(t *testing.T) {
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [{text: Memory, value: 10.5, unit: '%'}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(85, 30), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		if r := listIn(d).slots[0]; r.text.Want() > r.text.Box.Dx() || r.value.Want() > r.value.Box.Dx() {
			t.Errorf("%q is %d px wide in %d, %q %d in %d", r.text.Raw, r.text.Want(), r.text.Box.Dx(), r.value.Raw, r.value.Want(), r.value.Box.Dx())
		}
	})
}

// TestTimesGiveWayToNames checks lists of departures with relative times. If a name would be cut, all rows show only the duration. If this
// is not enough, all rows have smaller text.
func TestTimesGiveWayToNames(t *testing.T) {
	for _, tc := range []struct {
		wide int
		want string // time of the third row
		size int    // 1 if the rows have small text
	}{{260, "in 6 min.", 0}, {190, "6 min", 0}, {172, "6 min", 1}} {
		file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: !data .p, item: {badge: !data .item.line, text: !data .item.to, value: !data .item.at, format: relative}}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(tc.wide, 180), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
			var all []any
			for i, to := range []string{"Hafen", "Altstadt", "Universität", "Uferstraße"} {
				all = append(all, map[string]any{"line": "U4", "to": to, "at": walltest.After(time.Duration(3*i) * time.Minute).Format(time.RFC3339)})
			}
			d.ByName["p"].Publish(all, walltest.T0)
			d.Step(0)
			w := listIn(d)
			if got := string(w.slots[2].value.Raw); got != tc.want || w.look.crowded != (tc.size > 0) {
				t.Errorf("%d px: %q, small text: %v; want %q, %v", tc.wide, got, w.look.crowded, tc.want, tc.size > 0)
			}
			for _, r := range w.slots {
				if r.text.Want() > r.text.Box.Dx() || r.text.Ink.Overlaps(r.value.Ink) || r.value.Want() > r.value.Box.Dx() {
					t.Errorf("%d px: %q is cut by %q", tc.wide, r.text.Raw, r.value.Raw)
				}
			}
		})
	}
}

// TestIconReplacesTheWordOfAState checks a narrow row whose text does not fit next to the word of its state. If the text fits next to the
// icon of the state, the row shows the icon instead. A number is never replaced.
func TestIconReplacesTheWordOfAState(t *testing.T) {
	for _, tc := range []struct{ value, text, want, icon string }{
		{"1", "reports", "reports|", "mdi:close-circle"},
		{"1", "r", "r|failed", ""},
		{"1", "a very long branch", "a very long branch|failed", ""},
		{"23456789", "reports", "|23.5M", ""},
	} {
		file := "widgets: [{widget: list, " + walltest.BareCard + "items: [{text: " + tc.text + ", value: " + tc.value +
			", map: {1: {text: failed, icon: mdi:close-circle}}, thresholds: [{above: 9, icon: mdi:fire}]}]}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(68, 24), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			if got, icon := shownRows(listIn(d))[0], listIn(d).slots[0].mark.Name; got != tc.want || icon != tc.icon {
				t.Errorf("%s, %s: got %s with the icon %q, want %s with %q", tc.value, tc.text, got, icon, tc.want, tc.icon)
			}
		})
	}
}

// TestNameAboveItsValueShrinks checks that a name above its value becomes smaller before it is cut.
func TestNameAboveItsValueShrinks(t *testing.T) {
	file := "widgets: [{widget: list, " + walltest.BareCard + "items: [{text: 'backup:9100', value: down}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(71, 80), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		if r := listIn(d).slots[0]; !r.stacks || r.text.Want() > r.text.Box.Dx() {
			t.Errorf("above its value: %v, the name needs %d px of %d", r.stacks, r.text.Want(), r.text.Box.Dx())
		}
	})
}

// TestBrokenTextsStayOnTheirPage checks the first page of a list whose rows do not all fit on one page. If a text takes a second line,
// rows move closer together so that the page does not lose a row. No row extends beyond the list.
func TestBrokenTextsStayOnTheirPage(t *testing.T) {
	file := "widgets: [{widget: list, " + walltest.BareCard + "dwell: 10s, items: !data .p, item: {text: !data .item.t, icon: mdi:circle-outline}}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(112, 76), Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
		var all []any
		for _, name := range []string{"Milch", "Brot vom Markt", "Äpfel", "Butter", "Kaffee, ganze Bohne", "Eier"} {
			all = append(all, map[string]any{"t": name})
		}
		d.ByName["p"].Publish(all, walltest.T0)
		d.Step(0)
		w := listIn(d)
		if got := len(shownRows(w)); got != 2 {
			t.Errorf("%d rows on the first page, want 2", got)
		}
		for i, r := range w.slots {
			if ink := r.text.Ink; r.block == nil && !ink.In(r.rect) || r.block != nil && r.block.Block.Lines() != 2 {
				t.Errorf("row %d: text %v in %v", i, ink, r.rect)
			}
		}
	})
}
