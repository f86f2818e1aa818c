package calendar

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/provider/calendar"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, title string
		want           bool
	}{
		{"", "anything", true}, {"*", "", true}, {"Bins", "bins", true}, {"Bins", "Bins out", false}, {"bins*", "Bins out", true}, {"*out", "Bins out", true},
		{"*in*o*", "Bins out", true}, {"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*a", "axxbxa", true}, {"*x*", "abc", false}, {"MÜLL*", "Müll raus", true},
	} {
		g := kit.GlobOf(tt.pattern)
		if got := g.Matches(tt.title); got != tt.want {
			t.Errorf("%q, %q: got %v", tt.pattern, tt.title, got)
		}
	}
}

func TestBirthdays(t *testing.T) {
	b := &kit.Builder{Env: kit.Env{Drawing: kit.Drawing{Locale: walltest.TestLocale(t, "en")}}}
	for _, tt := range []struct {
		title       string
		first       int
		text, after string
	}{
		{"Jonas", 2017, "Jonas turns 9", ""}, {"Jonas (1985)", 2026, "Jonas turns 41", ""}, {"Jonas' birthday", 2017, "Jonas' birthday", "turns 9"},
		{"Jonas", 1604, "Jonas", ""}, {"Jonas", 2026, "Jonas", ""}, {"Jonas (x985)", 2026, "Jonas (x985)", ""}, {"(1985)", 2026, "(1985)", ""},
	} {
		e := &calendar.Event{Title: tt.title, First: time.Date(tt.first, 5, 1, 0, 0, 0, 0, time.UTC), Start: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Calendar: walltest.Birthdays}
		if text, after := titleOf(b, e); text != tt.text || after != tt.after {
			t.Errorf("%s of %d: got %q, %q", tt.title, tt.first, text, after)
		}
	}
}

// inkSheet draws the given scenes in black and white, side by side in one picture, and compares this picture with a golden picture.
func inkSheet(t *testing.T, name string, scenes []walltest.Scene) {
	t.Helper()
	l, ok := look.Named("eink", false)
	if !ok {
		t.Fatal("there is no eink")
	}
	var width, height int
	for _, s := range scenes {
		width, height = width+s.Size.X+walltest.GoldenGap, max(height, s.Size.Y+2*walltest.GoldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width+walltest.GoldenGap, height))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	at := image.Pt(walltest.GoldenGap, walltest.GoldenGap)
	for _, s := range scenes {
		walltest.ModernBubble(t, "background_color: white\nwidgets: ["+s.Widget+"]\n", s, l, func(d *walltest.Data) {
			s.Feed(d)
			d.Step(0)
			d.Step(s.After)
			draw.Draw(m, d.R.Frame().Rect.Add(at), d.R.Frame(), image.Point{}, draw.Src)
		})
		at.X += s.Size.X + walltest.GoldenGap
	}
	golden.Compare(t, name, m)
}
