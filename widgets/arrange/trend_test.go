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

// TestTrendDigits checks that a change has at most as many decimals as the value that a card shows.
func TestTrendDigits(t *testing.T) {
	for _, tc := range []struct {
		value, change float64
		want          string
	}{
		{21.43, 0.54, "0.5"}, {21.43, 0.04, "0.04"}, {1240, 379.6, "380"}, {-9.24, 0.126, "0.13"}, {0, 0.54, "0.54"}, {0.0021, 0.0004, "0.0004"},
	} {
		got := string(walltest.TestLocale(t, "en").AppendNumber(nil, inDigits(tc.change, tc.value), locale.Auto, false))
		if got != tc.want {
			t.Errorf("%v of %v: got %s, want %s", tc.change, tc.value, got, tc.want)
		}
	}
}

// TestSparklineHasRoom checks that the value of a high card leaves room for the sparkline, and that a low card shows no smaller value.
func TestSparklineHasRoom(t *testing.T) {
	for _, tc := range []struct {
		high, spark int
		equal       bool
	}{{145, 60, false}, {110, 0, true}} {
		sizes := [2]int{}
		for i, key := range []string{"", ", sparkline: 6h"} {
			e := walltest.TestEnv()
			e.Picture = image.Pt(1280, 720)
			w := walltest.BuildOne[*kit.Frame](t, e, "{widget: card, card: false, padding: 0, margin: 0, value: 1240"+key+"}", image.Pt(300, tc.high)).Inner.(*card)
			if sizes[i] = w.figure.Main.Face.Size; i == 1 && w.curve.Dy() < tc.spark {
				t.Errorf("%d px: the sparkline has %d px, want at least %d", tc.high, w.curve.Dy(), tc.spark)
			}
		}
		if got := sizes[0] == sizes[1]; got != tc.equal {
			t.Errorf("%d px: text sizes %v", tc.high, sizes)
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
