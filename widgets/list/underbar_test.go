package list

import (
	"image"
	"strings"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// listOf runs f with a list of the given items and size.
func listOf(t *testing.T, items string, size image.Point, f func(w *List)) {
	t.Helper()
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [" + items + "]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: size, Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		f(walltest.Only[*kit.Frame](d).Inner.(*List))
	})
}

// TestBarsBelowTexts checks that a narrow list has its bars below the texts, with the whole width, if no row is hidden for them.
func TestBarsBelowTexts(t *testing.T) {
	const items = "{text: Disk, value: 21, unit: of 64 GB, max: 64, bar: true}, {text: Running, value: 3 days}"
	for _, tt := range []struct {
		name  string
		size  image.Point
		under bool
	}{{"narrow", image.Pt(246, 110), true}, {"wide", image.Pt(600, 110), false}, {"narrow and low", image.Pt(246, 80), false}} {
		listOf(t, items, tt.size, func(w *List) {
			r := w.slots[0]
			if w.pager.shown != 2 || w.look.under != tt.under || r.track.Empty() {
				t.Fatalf("%s: got %d rows, bars below texts: %v, the bar %v", tt.name, w.pager.shown, w.look.under, r.track)
			}
			if full := r.track.Dx() == tt.size.X; full != tt.under {
				t.Errorf("%s: got a bar of %d px", tt.name, r.track.Dx())
			}
			for _, ink := range []image.Rectangle{r.text.Ink, r.value.Ink, r.tail.Ink, w.slots[1].rect} {
				if r.track.Overlaps(ink) || tt.under && ink != w.slots[1].rect && ink.Max.Y > r.track.Min.Y {
					t.Errorf("%s: the bar %v touches %v", tt.name, r.track, ink)
				}
			}
			if tt.under && r.rect.Max.Y-r.track.Max.Y < r.track.Dy() {
				t.Errorf("%s: the bar %v is close to the end of the row %v", tt.name, r.track, r.rect)
			}
			if !r.track.In(r.rect) {
				t.Errorf("%s: the bar %v leaves the row %v", tt.name, r.track, r.rect)
			}
		})
	}
}

// TestGoodValuesAreCalm checks that a good value with an icon has no color, so that a bad value is conspicuous.
func TestGoodValuesAreCalm(t *testing.T) {
	for keys, want := range map[string]string{
		"icon: mdi:check, color: good": "text", "icon: mdi:check, color: accent": "text", "icon: mdi:close, color: bad": "bad",
		"icon: mdi:alert, color: warn": "warn", "color: good": "good", "icon: mdi:check": "text",
	} {
		roles := strings.NewReplacer("good", "'#5ad09a'", "warn", "'#f5b84b'", "bad", "'#ec7569'", "accent", "'#6ea8fe'") // the colors of the theme
		listOf(t, "{text: billing, value: passed, "+roles.Replace(keys)+"}", image.Pt(400, 40), func(w *List) {
			if r := w.slots[0]; r.ink != w.look.b.Role(want) {
				t.Errorf("%s: got the color %v, want %s", keys, r.ink, want)
			}
		})
	}
}
