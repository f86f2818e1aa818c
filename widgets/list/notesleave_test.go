package list

import (
	"image"
	"slices"
	"strings"
	"testing"

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
