package clock

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestWorldClockShowsAllPlaces checks that a small world clock shows all places in smaller text, if necessary without AM and PM. If some
// places still do not fit, the clock shows their number. Texts stay inside the widget and do not touch each other.
func TestWorldClockShowsAllPlaces(t *testing.T) {
	const widget = "{widget: clock, kind: world, card: false, padding: 0, margin: 0, zones: {London: Europe/London, Tokyo: Asia/Tokyo}}"
	for _, test := range []struct {
		size image.Point
		want string
	}{
		{image.Pt(300, 90), "London Tokyo PM"},
		{image.Pt(110, 40), "London Tokyo PM"},
		{image.Pt(78, 40), "London Tokyo"},
		{image.Pt(100, 20), "London +1"},
	} {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, "en-US"), image.Pt(320, 240)
		shown := walltest.ShowThemed(t, e, "calm", true, widget, test.size)
		all := strings.Join(shown.Words(), " ")
		for _, word := range strings.Fields(test.want) {
			if !strings.Contains(all, word) {
				t.Errorf("%v: shows %q, without %s", test.size, all, word)
			}
		}
		if !strings.Contains(test.want, "PM") && strings.Contains(all, "M") {
			t.Errorf("%v: shows %q, although AM and PM have no room", test.size, all)
		}
		for i, p := range shown.Texts {
			if !p.Ink.In(image.Rectangle{Max: test.size}) {
				t.Errorf("%v: %q at %v leaves the widget", test.size, p.Text, p.Ink)
			}
			for _, q := range shown.Texts[:i] {
				if p.Ink.Overlaps(q.Ink) {
					t.Errorf("%v: %q and %q overlap", test.size, p.Text, q.Text)
				}
			}
		}
	}
}

// TestWorldClockCutsNoTime checks that a small world clock cuts no time before noon, because in English AM is wider than PM.
func TestWorldClockCutsNoTime(t *testing.T) {
	const widget = "{widget: clock, kind: world, card: false, padding: 0, margin: 0, zones: {London: Europe/London, Natal: America/Noronha}}"
	for wide := 66; wide <= 160; wide++ {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, "en-US"), image.Pt(320, 240)
		words := walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(wide, 40)).Words()
		if all := strings.Join(words, " "); strings.Contains(all, "…") {
			t.Errorf("%d px: %q", wide, words)
		}
	}
}

// TestWorldColumnsAreApart checks that times side by side have a visible gap, even if the digits fill their columns.
func TestWorldColumnsAreApart(t *testing.T) {
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en-GB"), image.Pt(1280, 720)
	size := image.Pt(300, 100)
	widget := "{widget: clock, kind: world, padding: 0, margin: 0, zones: {Lisbon: Etc/GMT+1, Toronto: Etc/GMT+6, Singapore: Etc/GMT-6}}"
	w := walltest.BuildOne[*kit.Frame](t, e, widget, size).Inner.(*world)
	render.New(w, size).Step(walltest.T0)
	for i := 1; i < len(w.rows); i++ {
		if gap := w.rows[i].time.Ink.Min.X - w.rows[i-1].time.Ink.Max.X; gap < 20 {
			t.Errorf("the gap before %s is %d px", w.rows[i].zone.Name, gap)
		}
	}
}

// TestWorldColumnsEndAtTheEdge checks that the last of several columns ends close to the edge of the widget, like the texts of cards
// below it.
func TestWorldColumnsEndAtTheEdge(t *testing.T) {
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en-GB"), image.Pt(1280, 720)
	size := image.Pt(700, 120)
	widget := "{widget: clock, kind: world, card: false, padding: 0, margin: 0, zones: {Lisbon: Etc/GMT+1, Toronto: Etc/GMT+6, Singapore: Etc/GMT-6}}"
	w := walltest.BuildOne[*kit.Frame](t, e, widget, size).Inner.(*world)
	render.New(w, size).Step(walltest.T0)
	last := w.rows[2]
	if end := max(last.name.Ink.Max.X, last.time.Ink.Max.X); end > size.X || end < size.X-12 {
		t.Errorf("the last place ends at %d, want close to %d", end, size.X)
	}
}

// TestWorldColumnsHaveOneSize checks that all times side by side have the same size in each minute of a day.
func TestWorldColumnsHaveOneSize(t *testing.T) {
	for _, language := range []string{"en-US", "en-GB"} {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, language), image.Pt(1280, 720)
		size := image.Pt(520, 120)
		widget := "{widget: clock, kind: world, card: false, padding: 0, margin: 0, zones: {Rome: Etc/GMT-1, Lima: Etc/GMT+5, Oslo: Etc/GMT-2}}"
		w := walltest.BuildOne[*kit.Frame](t, e, widget, size).Inner.(*world)
		r := render.New(w, size)
		for minute := range 24 * 60 {
			r.Step(walltest.T0.Add(time.Duration(minute) * time.Minute))
			for _, row := range w.rows {
				if row.time.Size != w.rows[0].time.Size || row.time.Ink.Max.X > size.X {
					t.Fatalf("%s, minute %d: %s has the size %d and ends at %d", language, minute, row.zone.Name, row.time.Size, row.time.Ink.Max.X)
				}
			}
		}
	}
}
