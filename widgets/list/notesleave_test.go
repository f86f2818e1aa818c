package list

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestNotesLeaveBeforeRows checks a list without room for all rows and notes. If all rows fit without notes below the texts, notes move
// to the ends of the texts or are hidden. Otherwise, notes stay. A text that may have two lines gets the second line only if it does not
// fit on one line.
func TestNotesLeaveBeforeRows(t *testing.T) {
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
	row := func(keys string) string { return "{text: Row, " + keys + "}" }
	list := func(n int, keys string) string {
		return "{widget: list, card: false, padding: 0, margin: 0, items: [" + strings.Join(slices.Repeat([]string{row(keys)}, n), ", ") + "]}"
	}
	for _, test := range []struct {
		name, widget       string
		rows, notes, lefts int
	}{
		{"room for all", list(3, "note: small"), 3, 3, 0},
		{"room for notes after the texts", list(5, "note: small"), 5, 5, 0},
		{"room without notes", list(5, "note: small"+strings.Repeat(" words", 12)), 5, 0, 0},
		{"room if rows move closer together", list(6, "note: small"), 6, 6, 0},
		{"no room in any case", list(9, "note: small"), 2, 2, 1},
		{"short texts of two lines", list(5, "lines: 2"), 5, 0, 0},
	} {
		words := walltest.ShowThemed(t, e, "calm", true, test.widget, image.Pt(400, 205)).Words()
		count := func(has func(string) bool) (n int) {
			for _, w := range words {
				if has(w) {
					n++
				}
			}
			return n
		}
		rows := count(func(w string) bool { return w == "Row" })
		notes := count(func(w string) bool { return strings.HasPrefix(w, "small") })
		lefts := count(func(w string) bool { return strings.Contains(w, "more") })
		if rows != test.rows || notes != test.notes || lefts != test.lefts {
			t.Errorf("%s: %d rows, %d notes and %d lines about more, want %d, %d and %d: %q", test.name, rows, notes, lefts, test.rows, test.notes, test.lefts, words)
		}
	}
}

// TestNotesStayAfterTexts checks that notes stay at the ends of the texts if a value changes, and that they are hidden if a note becomes
// too long.
func TestNotesStayAfterTexts(t *testing.T) {
	const file = "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: !data .p, item: {" +
		"text: !data .item.t, value: !data .item.v, note: !data .item.n}}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 205), Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
		long := "small" + strings.Repeat(" words", 12)
		for i, note := range []string{"small", "small", "tiny", long, long, "small"} {
			rows := slices.Repeat([]any{map[string]any{"t": "Row", "v": 1.0, "n": "small"}}, 5)
			rows[2] = map[string]any{"t": "Row", "v": float64(i), "n": note}
			d.ByName["p"].Publish(rows, walltest.T0.Add(time.Duration(i)*time.Minute))
			d.Step(time.Duration(i)*time.Minute + time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*List)
			want, changed := "small", note
			if note == long {
				want, changed = "", ""
			}
			if first, third := string(w.slots[0].note.Raw), string(w.slots[2].note.Raw); w.pager.shown != 5 || first != want || third != changed {
				t.Errorf("change %d: got %d rows with the notes %q and %q, want 5 with %q and %q", i, w.pager.shown, first, third, want, changed)
			}
		}
	})
}
