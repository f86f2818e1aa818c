package arrange

import (
	"image"
	"testing"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

func TestTrendRoles(t *testing.T) {
	for _, tc := range []struct {
		change       float64
		better, want string
	}{{1, "none", "muted"}, {0, "up", "muted"}, {1, "up", "good"}, {-1, "up", "bad"}, {1, "down", "bad"}, {-1, "down", "good"}} {
		if got := trendRole(tc.change, tc.better); got != tc.want {
			t.Errorf("%v, better %s: got %s, want %s", tc.change, tc.better, got, tc.want)
		}
	}
}

// TestCardShowsItsPast checks that a card shows the change of its value as soon as the history is as long as the key `trend` requires.
// The card must also show a curve.
func TestCardShowsItsPast(t *testing.T) {
	size := image.Pt(300, 200)
	file := "widgets: [{widget: card, margin: 0, value: !data .p, unit: °, trend: 1h, better: down, sparkline: 6h}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
		w := walltest.Only[*kit.Frame](d).Inner.(*card)
		for i := range 5 {
			at := time.Duration(i) * 30 * time.Minute
			d.ByName["p"].Publish(20+float64(i), walltest.T0.Add(at))
			d.Step(at)
			if got, want := w.trend.text.Raw != "", i >= 2; got != want {
				t.Errorf("value %d: got a change %v, want %v", i, got, want)
			}
		}
		if w.trend.text.Raw != "2" || w.trend.mark.Name != "mdi:arrow-up" || w.trend.ink != w.figure.B.Role("bad") {
			t.Errorf("got %q with %s, want 2 with an arrow upward in bad", w.trend.text.Raw, w.trend.mark.Name)
		}
		if at := walltest.Only[*kit.Frame](d).Body.Min; walltest.InkOf(d.R.Frame(), w.curve.Add(at)).Dx() < w.curve.Dx()/4 {
			t.Error("got no curve")
		}
	})
}

// TestClockWithoutWords checks a clock that shows the time in words. If the language has no such words, the clock causes one warning.
func TestClockWithoutWords(t *testing.T) {
	e := walltest.TestEnv()
	l, err := locale.Load("fr", nil)
	if err != nil {
		t.Fatal(err)
	}
	e.Locale = l
	spec, report := walltest.Parse(t, walltest.WidgetFile("navy", "{widget: clock, kind: words}"))
	screen.Build(walltest.Builder(e), spec, image.Pt(300, 200))
	if report.Failed() || len(report.Warnings()) != 1 {
		t.Errorf("got %v, want one warning", report.Warnings())
	}
}

// TestHandsDamageTheirBoxes checks that a moving hand damages only a small part of the dial.
func TestHandsDamageTheirBoxes(t *testing.T) {
	size := image.Pt(400, 400)
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	f := walltest.BuildOne[*kit.Frame](t, e, "{widget: clock, kind: analogue, margin: 0, padding: 0, date: none, seconds: step}", size)
	r := render.New(f, size)
	r.Step(walltest.T0)
	area := 0
	changed, _ := r.Step(walltest.After(time.Second))
	for _, d := range changed {
		area += d.Dx() * d.Dy()
	}
	if area == 0 || area > size.X*size.Y/10 {
		t.Errorf("a second damages %d px of %d", area, size.X*size.Y)
	}
}

// BenchmarkHand moves the hand for the seconds.
func BenchmarkHand(b *testing.B) {
	r := walltest.RoleRenderer(b, "{widget: clock, kind: analogue, seconds: step, date: none}", true, image.Pt(480, 480))
	now := walltest.Warm(r)
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Second)
		r.Step(now)
	}
}
