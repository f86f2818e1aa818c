package list

import (
	"image"
	"slices"
	"strings"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestWordsAreNotCut checks that a row with two lines becomes smaller before it cuts its longest word.
func TestWordsAreNotCut(t *testing.T) {
	const widget = "{widget: list, items: [{text: La médiathèque ouvre le dimanche à partir de juin, lines: 2}], card: false, padding: 0, margin: 0}"
	for wide := 80; wide <= 200; wide += 2 {
		e := walltest.TestEnv()
		e.Look, e.Picture = look.Calm(true), image.Pt(480, 320)
		shown := strings.Join(walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(wide, 60)).Words(), " ")
		if !strings.Contains(shown, "médiathèque") {
			t.Errorf("width %d: %q", wide, shown)
		}
	}
}

// TestSmallRowsFitTheirNames checks that the smallest text of a narrow list shows a name completely, if small text would cut it.
func TestSmallRowsFitTheirNames(t *testing.T) {
	const widget = "{widget: list, items: [{text: 'web1:9100', value: up}, {text: 'web2:9100', value: up}, {text: 'backup:9100', value: down}], card: false, padding: 0, margin: 0}"
	for wide := 108; wide <= 122; wide++ {
		e := walltest.TestEnv()
		e.Look, e.Picture = look.Calm(true), image.Pt(480, 320)
		words := walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(wide, 100)).Words()
		if !slices.Contains(words, "backup:9100") || !slices.Contains(words, "down") {
			t.Errorf("width %d: %q", wide, words)
		}
	}
}

// TestHyphensOnlyInWideWords checks that hyphens change nothing but the words that are wider than a line. Line breaks and no-break spaces
// remain, and scripts without hyphens get no spaces.
func TestHyphensOnlyInWideWords(t *testing.T) {
	smallPages(t, image.Pt(68, 84), "[Milk]", func(_ *walltest.Data, w *List) {
		for text, want := range map[string]string{
			"Open at\n14\u00a0h  today":    "Open at\n14\u00a0h  today",
			"In der Mediathek\n9\u00a0Uhr": "In der Mediat- hek\n9\u00a0Uhr",
			"東京都庁舎前広場中央図書館":                "東京都庁舎前広場中央図書館",
		} {
			if got := hyphenated(w.b, w.look.body, text, w.b.TextWidth(w.look.body, "Mediath")); got != want {
				t.Errorf("%q became %q, want %q", text, got, want)
			}
		}
	})
}
